// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Lease;
import io.quorumlock.history.Operation;
import io.quorumlock.testing.SeededRandom;
import java.util.function.Consumer;

/** The behaviour of a client with a session. It waits, disconnects, releases, or loses its connection and reconnects. */
final class SessionHolder {
    private final int client;
    private final Cluster cluster;
    private final SeededRandom random;
    private final Consumer<Lease> update;
    private final Consumer<RequestTerms> release;

    SessionHolder(
            int client, Cluster cluster, SeededRandom random, Consumer<Lease> update, Consumer<RequestTerms> release) {
        this.client = client;
        this.cluster = cluster;
        this.random = random;
        this.update = update;
        this.release = release;
    }

    void begin(RequestTerms terms, Runnable then) {
        open(terms, cluster.replicaFor(random, terms.ttl()), then, true);
    }

    private void open(RequestTerms terms, Replica replica, Runnable then, boolean mayReopen) {
        SimulatedCall call = cluster.calls.begin(client, Operation.SESSION, terms, cluster.events.now());
        SessionExchange session =
                new SessionExchange(cluster, random, replica, call, terms, new SessionExchange.Listener() {
                    private Runnable next = then;

                    @Override
                    public void begun(SessionExchange begun) {
                        call.lease().filter(lease -> terms.kind().isExclusive()).ifPresent(update);
                        next = behave(begun, terms, then, mayReopen);
                    }

                    @Override
                    public void over(SimulatedCall ended) {
                        cluster.events.after(random.millis(0, 20), next);
                    }
                });
        session.begin();
        if (random.onceIn(10)) {
            cluster.events.after(random.millis(0, 60 + terms.patience().toMillis()), session::close);
        }
    }

    /** Draws the behaviour of the client, and returns its action after the end of the session. */
    private Runnable behave(SessionExchange session, RequestTerms terms, Runnable then, boolean mayReopen) {
        long some = random.millis(1, 2 * terms.ttl().toMillis());
        switch (random.between(0, 5)) {
            case 0, 1 -> cluster.events.after(some, session::close);
            case 2 -> {
                cluster.events.after(some, session::close);
                return () -> release.accept(terms);
            }
            case 3, 4 -> {
                cluster.events.after(some, session::loseConnection);
                return mayReopen ? () -> reopenIfDisconnected(session.call(), terms, then) : then;
            }
            default -> {
                // The client waits until the service ends the session.
            }
        }
        return then;
    }

    /** A client that was told of the end of its lease does not use the token again. */
    private void reopenIfDisconnected(SimulatedCall ended, RequestTerms terms, Runnable then) {
        if (!ended.impatient) {
            then.run();
        } else if (cluster.takeCall()) {
            cluster.coverage.count(Feature.SESSION_REOPENED);
            open(terms, random.of(cluster.replicas), then, false);
        }
    }
}
