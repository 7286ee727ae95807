// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;
import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.function.Consumer;

/** A check for a holder that repeats its acquire again and again at one replica: that must not prolong its lease. */
final class RepeatedAcquireCheck {
    private static final int HOLDER = 96;
    private static final Duration TTL = Duration.ofMillis(300);
    /** One call, and the errors of clocks. */
    private static final long SLACK = Scale.millis(50);

    /** The longest duration of the check. */
    static final long LONGEST = TTL.toNanos() + 4 * SLACK;

    private static final RequestTerms TERMS =
            RequestTerms.of(new ResourceName("of-repeating-holder"), new LeaseToken("holder-that-repeats"), TTL);

    private final Cluster cluster;
    private final SeededRandom random;
    private final Replica replica;

    RepeatedAcquireCheck(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
        this.replica = random.of(cluster.replicas);
    }

    void begin() {
        call(Operation.ACQUIRE, first -> repeat(first.decided + TTL.toNanos() + SLACK));
    }

    private void repeat(long latest) {
        call(Operation.ACQUIRE, call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                call(Operation.RELEASE, released -> {});
            } else if (call.lease().isPresent() && call.decided > latest) {
                cluster.calls.found(Promise.L, "the lease lasts, because its acquire is repeated: " + call);
                call(Operation.RELEASE, released -> {});
            } else {
                repeat(latest);
            }
        });
    }

    private void call(Operation operation, Consumer<SimulatedCall> then) {
        new Exchange(cluster, random, replica, then)
                .begin(cluster.calls.begin(HOLDER, operation, TERMS, cluster.events.now()), TERMS, false);
    }
}
