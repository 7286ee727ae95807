/** A lock provider of ShedLock. */
package io.quorumlock.shedlock;
