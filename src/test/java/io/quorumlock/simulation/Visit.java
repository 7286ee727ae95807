// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.Lease;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.simulation.Call.Wish;
import java.util.function.Consumer;

/** The behaviour of a client with a session. It stays, disconnects, releases, or loses its connection and returns. */
final class Visit {
    private final int client;
    private final World world;
    private final Chance chance;
    private final Consumer<Lease> update;
    private final Consumer<Wish> release;

    Visit(int client, World world, Chance chance, Consumer<Lease> update, Consumer<Wish> release) {
        this.client = client;
        this.world = world;
        this.chance = chance;
        this.update = update;
        this.release = release;
    }

    void begin(Wish wish, Runnable then) {
        open(wish, world.replicaFor(chance, wish.ttl()), then, true);
    }

    private void open(Wish wish, Replica replica, Runnable then, boolean mayReopen) {
        Call call = world.history.begin(client, Kind.SESSION, wish, world.agenda.now());
        SessionConversation session =
                new SessionConversation(world, chance, replica, call, wish, new SessionConversation.Listener() {
                    private Runnable next = then;

                    @Override
                    public void begun(SessionConversation begun) {
                        call.lease().ifPresent(update);
                        next = behave(begun, wish, then, mayReopen);
                    }

                    @Override
                    public void over(Call ended) {
                        world.agenda.after(chance.millis(0, 20), next);
                    }
                });
        session.begin();
        if (chance.in(10)) {
            world.agenda.after(chance.millis(0, 60 + wish.patience().toMillis()), session::close);
        }
    }

    /** Draws the behaviour of the client, and returns its action after the end of the session. */
    private Runnable behave(SessionConversation session, Wish wish, Runnable then, boolean mayReopen) {
        long some = chance.millis(1, 2 * wish.ttl().toMillis());
        switch (chance.between(0, 5)) {
            case 0, 1 -> world.agenda.after(some, session::close);
            case 2 -> {
                world.agenda.after(some, session::close);
                return () -> release.accept(wish);
            }
            case 3, 4 -> {
                world.agenda.after(some, session::loseConnection);
                return mayReopen ? () -> reopen(wish, then) : then;
            }
            default -> {
                // The client stays until the service ends the session.
            }
        }
        return then;
    }

    private void reopen(Wish wish, Runnable then) {
        if (world.takeCall()) {
            world.history.used(Use.SESSION_REOPENED);
            open(wish, chance.of(world.replicas), then, false);
        }
    }
}
