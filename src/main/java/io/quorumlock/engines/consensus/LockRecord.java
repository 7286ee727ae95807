// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The content of the record of a lock.
 *
 * @param kind of the lock while it has holders
 * @param leases of the holders in the order of their acquires; one for an exclusive lock
 * @param reservation of a shared lock, or of a free one
 * @param waiting the replicas whose waiting clients were refused because of the holder of an exclusive lock
 */
record LockRecord(LockKind kind, List<LeaseRecord> leases, Optional<Reservation> reservation, List<String> waiting) {

    /**
     * The reservation of a lock for clients that wait on one replica to hold a shared lock alone, or for one client that waits
     * for several locks. It keeps all others out.
     *
     * @param replica its name, and that of the client for several locks
     * @param lasts until this write was seen for this time
     */
    record Reservation(String replica, String write, Duration lasts) {}

    /** Returns this record for its later writes: the revision of this one is the fence of the leases that it began. */
    LockRecord writtenAt(long revision) {
        return new LockRecord(
                kind, leases.stream().map(lease -> lease.writtenAt(revision)).toList(), reservation, waiting);
    }
}
