// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Operation;
import io.quorumlock.lock.Lease;
import io.quorumlock.testing.SeededRandom;
import java.util.function.Consumer;

/** The behaviour of a client with a session. It stays, disconnects, releases, or loses its connection and returns. */
final class Visit {
    private final int client;
    private final World world;
    private final SeededRandom random;
    private final Consumer<Lease> update;
    private final Consumer<RequestTerms> release;

    Visit(int client, World world, SeededRandom random, Consumer<Lease> update, Consumer<RequestTerms> release) {
        this.client = client;
        this.world = world;
        this.random = random;
        this.update = update;
        this.release = release;
    }

    void begin(RequestTerms terms, Runnable then) {
        open(terms, world.replicaFor(random, terms.ttl()), then, true);
    }

    private void open(RequestTerms terms, Replica replica, Runnable then, boolean mayReopen) {
        SimulatedCall call = world.history.begin(client, Operation.SESSION, terms, world.agenda.now());
        SessionConversation session =
                new SessionConversation(world, random, replica, call, terms, new SessionConversation.Listener() {
                    private Runnable next = then;

                    @Override
                    public void begun(SessionConversation begun) {
                        call.lease().ifPresent(update);
                        next = behave(begun, terms, then, mayReopen);
                    }

                    @Override
                    public void over(SimulatedCall ended) {
                        world.agenda.after(random.millis(0, 20), next);
                    }
                });
        session.begin();
        if (random.onceIn(10)) {
            world.agenda.after(random.millis(0, 60 + terms.patience().toMillis()), session::close);
        }
    }

    /** Draws the behaviour of the client, and returns its action after the end of the session. */
    private Runnable behave(SessionConversation session, RequestTerms terms, Runnable then, boolean mayReopen) {
        long some = random.millis(1, 2 * terms.ttl().toMillis());
        switch (random.between(0, 5)) {
            case 0, 1 -> world.agenda.after(some, session::close);
            case 2 -> {
                world.agenda.after(some, session::close);
                return () -> release.accept(terms);
            }
            case 3, 4 -> {
                world.agenda.after(some, session::loseConnection);
                return mayReopen ? () -> reopen(terms, then) : then;
            }
            default -> {
                // The client stays until the service ends the session.
            }
        }
        return then;
    }

    private void reopen(RequestTerms terms, Runnable then) {
        if (world.takeCall()) {
            world.coverage.count(Use.SESSION_REOPENED);
            open(terms, random.of(world.replicas), then, false);
        }
    }
}
