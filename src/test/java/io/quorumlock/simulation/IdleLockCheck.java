// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A check for waiters of a lock that is free everywhere, although their replica can reach all masters, or the store (R12). */
final class IdleLockCheck {
    /** The longest pause between two attempts of a queue that receives no announcements, plus the duration of one attempt. */
    private static final long LONGEST = Scale.millis(1_200);
    /** The same for a queue that receives some of them: it relies on one of five. */
    private static final long LONGEST_WITH_ANNOUNCEMENTS = Scale.millis(8_700);
    /** How long a client that waits, and then has left, keeps others out of a free lock. */
    private static final long RESERVATION = Scale.millis(4_000 + 2_000);

    private final Cluster cluster;
    private final Map<List<Object>, Long> since = new HashMap<>();

    IdleLockCheck(Cluster cluster) {
        this.cluster = cluster;
    }

    void check() {
        for (Replica replica : cluster.replicas) {
            if (replica.waiters() > 0 || !since.isEmpty()) {
                cluster.resources.forEach(resource -> check(replica, resource));
            }
        }
    }

    private void check(Replica replica, ResourceName resource) {
        long now = cluster.events.now();
        List<Object> waiting = List.of(replica.number, resource);
        if (!isIdle(replica, resource)) {
            since.remove(waiting);
            return;
        }
        long begin = LongStream.of(
                        since.computeIfAbsent(waiting, key -> now),
                        replica.hinderedAt(),
                        scriptsFlushedAt(),
                        afterSuspension(replica))
                .max()
                .orElseThrow();
        long reserved = cluster.additions.hasReservations() ? RESERVATION : 0;
        if (now - begin > longest() + reserved) {
            since.remove(waiting);
            if (nobodyHeld(resource, begin)) {
                cluster.calls.found(
                        Promise.R12,
                        "waited at replica-%d for a free lock from %.3f to %.3f s: %s"
                                .formatted(replica.number, begin / 1e9, now / 1e9, resource));
            }
        }
    }

    private long longest() {
        boolean some = cluster.announcementsLost > 0 && cluster.announcementsLost < 100;
        return some ? LONGEST_WITH_ANNOUNCEMENTS : LONGEST;
    }

    private boolean isIdle(Replica replica, ResourceName resource) {
        return replica.waitersFor(resource) > 0 && replica.findsFree(resource);
    }

    /** The first attempt after a suspension fails: all clocks seem to have stepped. */
    private static long afterSuspension(Replica replica) {
        return replica.suspendedAt() > 0 ? replica.suspendedAt() + LONGEST : 0;
    }

    /** Returns since when a majority of the masters has kept its scripts. The first call after a flush fails. */
    private long scriptsFlushedAt() {
        long[] flushed = cluster.masters.stream()
                .mapToLong(Master::scriptsFlushedAt)
                .sorted()
                .toArray();
        return flushed.length == 0 ? 0 : flushed[flushed.length / 2];
    }

    private boolean nobodyHeld(ResourceName resource, long begin) {
        return cluster.calls.all().stream()
                .noneMatch(call -> call.resources.list().contains(resource)
                        && call.isDecided()
                        && call.decided >= begin
                        && call.lease().isPresent());
    }
}
