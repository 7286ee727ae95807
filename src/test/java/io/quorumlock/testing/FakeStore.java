// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockMaster.ScanStep;
import io.quorumlock.redlock.MasterReply;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An in-memory store that behaves like the scripts. Locks expire by the clock of the master. */
final class FakeStore {
    private static final long HALF_A_MILLISECOND = 500_000;
    private static final int SCANNED_AT_ONCE = 3;

    private final Map<ResourceName, Entry> locks = new HashMap<>();
    private final FakeCounters counters;
    private final MonotonicClock clock;
    private final int extensionsMax;

    private record Entry(
            AcquireCommand claim, String attempt, int used, FencingToken fence, boolean raised, MonotonicTime end) {
        Entry adopted(String by) {
            return new Entry(claim, marked(by), used, fence, raised, end);
        }
    }

    /** @param counters number of fencing counters, which all resources share */
    FakeStore(MonotonicClock clock, int extensionsMax, int counters) {
        this.clock = clock;
        this.counters = new FakeCounters(counters);
        this.extensionsMax = extensionsMax;
    }

    void clear() {
        locks.clear();
        counters.clear();
    }

    /** Returns whether there is no lock. Fencing counters do not count. */
    boolean isEmpty() {
        locks.values().removeIf(entry -> !clock.now().isBefore(entry.end()));
        return locks.isEmpty();
    }

    MasterReply acquire(AcquireCommand claim) {
        Entry entry = find(claim.resource());
        if (entry == null) {
            MonotonicTime end = clock.now().plus(claim.terms().ttl());
            Optional<FencingToken> fence = counters.grant(claim.resource(), claim.candidate());
            if (fence.isEmpty()) {
                return new MasterReply.Failed(MasterFailure.FENCE_FULL, true);
            }
            locks.put(claim.resource(), new Entry(claim, claim.attempt(), 0, fence.get(), false, end));
            return new MasterReply.Granted(fence.get());
        }
        if (!entry.claim().token().equals(claim.token())) {
            return new MasterReply.Refused(
                    left(entry),
                    entry.claim().terms().owner(),
                    entry.claim().token().text(),
                    !entry.claim().attempt().equals(FakeFleet.NO_ATTEMPT));
        }
        boolean sameTerms = entry.claim().terms().ttl().equals(claim.terms().ttl())
                && entry.claim().terms().owner().equals(claim.terms().owner());
        if (!sameTerms) {
            return new MasterReply.TokenInUse();
        }
        locks.put(claim.resource(), entry.adopted(claim.attempt()));
        return new MasterReply.Adopted(
                left(entry), entry.used(), entry.fence(), age(entry, Optional.of(Duration.ZERO)));
    }

    MasterReply extend(ResourceName resource, LeaseToken token, Duration ttl) {
        Entry entry = find(resource);
        if (entry == null) {
            return new MasterReply.Absent();
        }
        if (!entry.claim().token().equals(token)) {
            return new MasterReply.HeldByAnother();
        }
        if (entry.used() >= extensionsMax) {
            return new MasterReply.Exhausted();
        }
        Duration left = left(entry);
        MonotonicTime later = clock.now().plus(left.compareTo(ttl) > 0 ? left : ttl);
        String attempt = marked(entry.attempt());
        locks.put(resource, new Entry(entry.claim(), attempt, entry.used() + 1, entry.fence(), entry.raised(), later));
        return new MasterReply.Extended(entry.used() + 1, entry.fence(), attempt, age(entry, Optional.empty()));
    }

    MasterReply raise(ResourceName resource, LeaseToken token, FencingToken fence) {
        Entry entry = find(resource);
        if (entry == null) {
            return new MasterReply.Absent();
        }
        if (!entry.claim().token().equals(token)) {
            return new MasterReply.HeldByAnother();
        }
        counters.raise(resource, fence);
        boolean more = fence.compareTo(entry.fence()) > 0;
        if (more || !entry.raised()) {
            FencingToken stored = more ? fence : entry.fence();
            locks.put(resource, new Entry(entry.claim(), entry.attempt(), entry.used(), stored, true, entry.end()));
        }
        return new MasterReply.Raised();
    }

    MasterReply release(DeleteCondition condition) {
        Entry entry = find(condition.resource());
        if (entry == null) {
            return new MasterReply.Absent();
        }
        boolean found = entry.claim().token().equals(condition.token())
                && condition.attempt().map(entry.attempt()::equals).orElse(true)
                && entry.used() <= condition.mostExtensions().orElse(entry.used());
        if (!found) {
            return new MasterReply.HeldByAnother();
        }
        locks.remove(condition.resource());
        return new MasterReply.Deleted();
    }

    MasterReply inspect(ResourceName resource) {
        Entry entry = find(resource);
        return entry == null
                ? new MasterReply.Absent()
                : new MasterReply.Holding(
                        entry.claim().token().text(),
                        Optional.of(entry.attempt()),
                        entry.used(),
                        entry.claim().terms().owner(),
                        left(entry),
                        Optional.of(entry.fence()));
    }

    /** Returns a few names per step, in an order that differs from that of the API. */
    MasterReply scan(ScanStep step) {
        isEmpty();
        List<ResourceName> all = locks.keySet().stream()
                .sorted(Comparator.comparing(ResourceName::text).reversed())
                .toList();
        int from = step.from().map(Integer::parseInt).orElse(0);
        int end = Math.min(all.size(), from + SCANNED_AT_ONCE);
        List<ResourceName> found = all.subList(Math.min(from, end), end).stream()
                .filter(name -> step.range().contains(name.text()))
                .toList();
        return new MasterReply.Scanned(found, end < all.size() ? Optional.of("" + end) : Optional.empty());
    }

    /** Returns the fencing token of the lock, as the master announces it; 0 if it has none. */
    long fenceOf(ResourceName resource) {
        return inspect(resource) instanceof MasterReply.Holding holding
                ? holding.fence().map(FencingToken::number).orElse(0L)
                : 0;
    }

    /** Marks an attempt as adopted, so that the clean-up of the original attempt does not match. */
    private static String marked(String attempt) {
        return attempt.endsWith("+") ? attempt : attempt + "+";
    }

    private Entry find(ResourceName resource) {
        locks.computeIfPresent(resource, (name, entry) -> clock.now().isBefore(entry.end()) ? entry : null);
        return locks.get(resource);
    }

    /** Returns the time since the grant; {@code ifExtended} after an extension; empty after the fence was raised. */
    private Optional<Duration> age(Entry entry, Optional<Duration> ifExtended) {
        if (entry.raised()) {
            return Optional.empty();
        }
        Duration ttl = entry.claim().terms().ttl();
        return entry.used() == 0 ? Optional.of(ttl.minus(left(entry))) : ifExtended;
    }

    /** Rounds to whole milliseconds, as Redis does. */
    private Duration left(Entry entry) {
        long left = entry.end().since(clock.now()).toNanos();
        return Duration.ofMillis(Math.floorDiv(left + HALF_A_MILLISECOND, 2 * HALF_A_MILLISECOND));
    }
}
