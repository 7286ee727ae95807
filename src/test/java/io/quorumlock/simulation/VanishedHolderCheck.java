// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;
import io.quorumlock.testing.SeededRandom;
import java.util.function.Consumer;

/**
 * A check for the lock of a vanished holder, while connections to the store are cut more often than once in a TTL: it
 * must be free after the TTL (L1).
 */
final class VanishedHolderCheck {
    private static final int HOLDER = 97;
    private static final int NEXT = 98;
    private static final ResourceName LOCK = new ResourceName("of-vanished-holder");
    /** The longest reconnect, and some attempts. */
    private static final long SLACK = Scale.millis(600);

    /** The longest duration of the check. */
    static final long LONGEST = Scale.TTL_MAX.toNanos() + 3 * SLACK;

    private final Cluster cluster;
    private final SeededRandom random;
    private final Replica replica;
    private int attempts;
    private boolean over;

    VanishedHolderCheck(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
        this.replica = random.of(cluster.replicas);
    }

    void begin() {
        call(HOLDER, Operation.ACQUIRE, terms("holder-that-vanishes"), call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                cutConnections();
                tryToAcquire(call.decided + (long) (call.ttl.toNanos() * (1 + 2 * Scale.RATE_ERROR)) + SLACK);
            } else {
                cluster.calls.found(Promise.L, "cannot be acquired after the end of all faults: " + call);
            }
        });
    }

    private void cutConnections() {
        cluster.events.after(random.millis(200, 900), () -> {
            if (!over) {
                cluster.replicas.forEach(each -> each.store().breakConnection());
                cutConnections();
            }
        });
    }

    private void tryToAcquire(long latest) {
        RequestTerms terms = terms("next-holder-attempt-" + ++attempts);
        call(NEXT, Operation.ACQUIRE, terms, call -> {
            over = call.outcome.orElse(null) instanceof Acquisition.Acquired || cluster.events.now() > latest;
            if (!over) {
                cluster.events.after(random.millis(10, 60), () -> tryToAcquire(latest));
            } else if (cluster.events.now() > latest) {
                cluster.calls.found(Promise.L, "the lock of a vanished holder is still held: " + call);
            } else {
                cluster.events.after(SLACK, () -> call(NEXT, Operation.RELEASE, terms, released -> {}));
            }
        });
    }

    private RequestTerms terms(String token) {
        return RequestTerms.of(LOCK, new LeaseToken(token), replica.ttlMax());
    }

    private void call(int client, Operation operation, RequestTerms terms, Consumer<SimulatedCall> then) {
        new Exchange(cluster, random, replica, then)
                .begin(cluster.calls.begin(client, operation, terms, cluster.events.now()), terms, false);
    }
}
