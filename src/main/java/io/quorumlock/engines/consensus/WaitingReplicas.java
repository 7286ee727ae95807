// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.loop.UniqueIds;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The replicas that wait for an exclusive lock, as a replica that waits for it knows them from its records: those that were
 * refused or held the lock since the last lease of this replica but one. One that waits no longer is soon forgotten.
 */
final class WaitingReplicas {
    private final String own;
    private Set<String> others = new HashSet<>();
    private Set<String> othersBefore = Set.of();
    private Optional<FencingToken> present = Optional.empty();
    /** The replica of the present lease. It counts after the end of the lease, because no other client may wait there. */
    private Optional<String> holder = Optional.empty();

    /** @param own the name of this replica in records */
    WaitingReplicas(String own) {
        this.own = own;
    }

    /** Notes a version of the record. */
    void written(KnownLock lock) {
        lock.waiting().stream().filter(name -> !name.equals(own)).forEach(others::add);
        lock.onlyLease()
                .map(KnownLease::record)
                .filter(lease -> !lease.fence().equals(present))
                .ifPresent(this::begun);
    }

    private void begun(LeaseRecord lease) {
        present = lease.fence();
        if (!lease.beginsLease()) {
            holder = Optional.empty(); // Any replica may have extended it.
            return;
        }
        holder = Optional.of(UniqueIds.replicaOf(lease.write())).filter(name -> !name.equals(own));
        if (holder.isEmpty()) {
            othersBefore = others;
            others = new HashSet<>();
        }
    }

    /** Notes that the record was deleted, and returns the fencing token of the lease; empty if the last one was not read. */
    Optional<FencingToken> removed(Optional<KnownLock> last) {
        Optional<FencingToken> ended = last.flatMap(KnownLock::onlyLease)
                .flatMap(lease -> lease.record().fence())
                .filter(fence -> Optional.of(fence).equals(present));
        present = Optional.empty();
        return ended;
    }

    /** Returns their number at the end of a lease, with this one. */
    int number() {
        Set<String> all = new HashSet<>(others);
        all.addAll(othersBefore);
        holder.ifPresent(others::add);
        holder = Optional.empty();
        return all.size() + 1;
    }
}
