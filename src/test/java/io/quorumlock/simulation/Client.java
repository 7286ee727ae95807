// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.history.Operation;
import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A client of the service. Most clients are well-behaved; some leave, retry, hold leases for too long, or return after
 * their lease has ended.
 */
final class Client {
    private static final Duration LONG_WAIT = Duration.ofMillis(1_500);

    private final int number;
    private final Cluster cluster;
    private final SeededRandom random;
    private final Set<LeaseToken> held = new HashSet<>();
    private final boolean operator;
    private int requests;
    private boolean updating;
    private int holder;

    Client(int number, Cluster cluster, SeededRandom random) {
        this.number = number;
        this.cluster = cluster;
        this.random = random;
        this.operator = random.onceIn(4);
    }

    void begin() {
        after(random.millis(0, 50), this::scheduleNext);
    }

    private void scheduleNext() {
        after(cluster.quietPeriod(), this::startNext);
    }

    private void startNext() {
        if (operator && random.onceIn(8)) {
            force();
            return;
        }
        String name = "client-" + number + "-token-" + padded(++requests, 4);
        Duration ttl = ttl();
        LockKind kind = cluster.additions.kindOf(number);
        RequestTerms terms = new RequestTerms(resources(kind), new LeaseToken(name), ttl, kind);
        RequestTerms whole = terms.waiting(patience());
        if (random.onceIn(8) && terms.resources().count() == 1) {
            useSession(whole);
        } else {
            acquire(whole, 2);
        }
    }

    /** Draws a lock, or up to three in some histories. */
    private ResourceNames resources(LockKind kind) {
        ResourceName first = random.of(cluster.resources);
        if (!cluster.additions.takesSeveral() || !kind.isExclusive() || !random.onceIn(2)) {
            return ResourceNames.of(first);
        }
        return new ResourceNames(Stream.of(first, random.of(cluster.resources), random.of(cluster.resources))
                .distinct()
                .toList());
    }

    private static String padded(int number, int digits) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /** Breaks the lock of any holder. */
    private void force() {
        String name = "operator-" + number + "-nr-" + padded(++requests, 6);
        RequestTerms terms = RequestTerms.of(random.of(cluster.resources), new LeaseToken(name), Scale.TTL_MAX);
        call(Operation.BREAK, terms, random.onceIn(10), call -> after(random.millis(1, 100), this::scheduleNext));
    }

    private void useSession(RequestTerms terms) {
        if (cluster.takeCall()) {
            new SessionHolder(number, cluster, random, this::update, this::release).begin(terms, this::scheduleNext);
        }
    }

    private void release(RequestTerms terms) {
        release(terms, 0);
    }

    private Duration ttl() {
        int least = cluster.conditions.clocksFail() ? (int) Scale.TTL_WHERE_CLOCKS_FAIL.toMillis() : 100;
        int usual = Math.max(least, 300);
        return Duration.ofMillis(random.onceIn(4) ? random.between(least, usual) : random.between(usual, 2_000));
    }

    /** Draws the wait: mostly none, otherwise a short one or one longer than any lease. */
    private Duration patience() {
        if (!random.onceIn(3)) {
            return Duration.ZERO;
        }
        return Duration.ofMillis(random.onceIn(2) ? random.between(1, 500) : random.between(2_000, 4_000));
    }

    private void acquire(RequestTerms terms, int retries) {
        call(Operation.ACQUIRE, terms, random.onceIn(10), call -> {
            Acquisition outcome = (Acquisition) call.outcome.orElse(null);
            if (outcome instanceof Acquisition.Acquired || outcome instanceof Acquisition.Replayed) {
                hold(terms, call);
            } else if ((outcome == null || outcome instanceof Acquisition.NoQuorum)
                    && retries > 0
                    && random.percent(60)) {
                after(random.millis(0, 10), () -> acquire(terms, retries - 1)); // a retry with the same token is safe
            } else {
                after(
                        random.millis(1, outcome instanceof Acquisition.Held ? cluster.longestRest : 50),
                        this::scheduleNext);
            }
        });
    }

    private void hold(RequestTerms terms, SimulatedCall call) {
        Lease lease = call.lease().orElseThrow();
        if (!held.add(terms.token()) && call.outcome.orElseThrow() instanceof Acquisition.Acquired) {
            cluster.coverage.count(Feature.TOKEN_REUSED);
        }
        holder = call.replica;
        if (terms.kind().isExclusive()) {
            update(lease);
        }
        long left = Math.max(1, call.invoked + lease.ttl().toNanos() - cluster.events.now());
        long some = (long) (left * random.around(0.25, 0.25));
        long tooLong = left + random.millis(0, 400);
        switch (random.between(0, 14)) {
            case 0, 1, 2, 3, 4 -> after(some, () -> release(terms, 1));
            case 5, 6, 7 -> after(some, () -> extend(terms.extendingBy(extension(terms)), 5));
            case 8 -> after(tooLong, () -> release(terms, 0));
            case 9 -> after(tooLong, () -> extend(terms, 0));
            case 10 -> after(some, () -> acquire(terms, 2)); // replay
            case 11, 13 -> after(some / 2, () -> acquire(terms.waiting(LONG_WAIT), 1)); // replay with a wait
            case 12 -> after(tooLong, () -> acquire(terms, 2)); // another lease of the same token
            default -> after(random.millis(1, 100), this::scheduleNext); // abandons the lease
        }
    }

    /** Updates the protected resource. Some updates are delayed until the lease has ended. */
    private void update(Lease lease) {
        if (updating) {
            return;
        }
        updating = true;
        Register register = cluster.register(lease.resources().first());
        OptionalInt seen = register.read(lease.fence());
        int seenOpenly = register.readUnfenced();
        after(random.onceIn(10) ? random.millis(0, 3_000) : random.millis(0, 20), () -> {
            updating = false;
            seen.ifPresent(value -> register.write(lease.fence(), value + 1));
            register.writeUnfenced(seenOpenly + 1);
        });
    }

    private void extend(RequestTerms terms, int more) {
        call(Operation.EXTEND, terms, random.onceIn(20), call -> {
            boolean extended = call.outcome.orElse(null) instanceof Extension.Extended;
            if (extended && more > 0 && random.percent(80)) {
                after(
                        (long) (terms.ttl().toNanos() * random.around(0.3, 0.3)),
                        () -> extend(terms.extendingBy(extension(terms)), more - 1));
            } else if (random.percent(call.outcome.orElse(null) instanceof Extension.Lost ? 20 : 80)) {
                release(terms, 1);
            } else {
                after(random.millis(1, 100), this::scheduleNext);
            }
        });
    }

    /** Draws the TTL of an extension: mostly the TTL of the lease, otherwise a shorter or longer one. */
    private Duration extension(RequestTerms terms) {
        return random.onceIn(3) ? Duration.ofMillis(random.between(100, 2_000)) : terms.ttl();
    }

    private void release(RequestTerms terms, int retries) {
        call(Operation.RELEASE, terms.keeping(keep(terms)), random.onceIn(10), call -> {
            if (call.replica != holder) {
                cluster.coverage.count(Feature.RELEASED_THROUGH_ANOTHER_REPLICA);
            }
            boolean released = call.outcome.orElse(null) instanceof Release.Released;
            if (!released && retries > 0) {
                after(random.millis(1, 50), () -> release(terms, retries - 1));
            } else if (random.onceIn(8)) {
                after(random.millis(1, 300), () -> extend(terms, 0)); // must have no effect after the release
            } else if (released && random.onceIn(8)) {
                after(random.millis(0, 20), () -> acquire(terms, 0)); // another lease of the same token
            } else {
                after(random.millis(1, 60), this::scheduleNext);
            }
        });
    }

    /**
     * Returns how long a release keeps the lock, which may be longer than the lease: the same for each release of a lease, and
     * mostly not at all.
     */
    private Duration keep(RequestTerms terms) {
        int draw = Math.floorMod(terms.token().text().hashCode(), 100);
        return Duration.ofMillis(cluster.additions.keepsLocks() && draw < 20 ? 10 + 100L * draw : 0);
    }

    private void call(Operation operation, RequestTerms terms, boolean impatient, Consumer<SimulatedCall> then) {
        if (cluster.takeCall()) {
            Replica drawn = cluster.replicaFor(random, terms.longest());
            // A replica with another list may confirm a release of which the other masters do not know.
            boolean mayNotKnow = operation == Operation.RELEASE && cluster.hasOtherList(drawn);
            new Exchange(cluster, random, mayNotKnow ? cluster.replicas.get(0) : drawn, then)
                    .begin(cluster.calls.begin(number, operation, terms, cluster.events.now()), terms, impatient);
        }
    }

    private void after(long nanos, Runnable action) {
        cluster.events.after(nanos, action);
    }
}
