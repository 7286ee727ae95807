/** Wait queues for locks, and the turns of the replicas. */
package io.quorumlock.service.waiting;
