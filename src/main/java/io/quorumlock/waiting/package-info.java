/** Wait queues for locks, and the schedule of their attempts. */
package io.quorumlock.waiting;
