package io.quorumlock.simulation;

import io.quorumlock.lock.Lease;
import io.quorumlock.session.SessionTerms;
import io.quorumlock.session.SessionTerms.WhenGone;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.simulation.Call.Wish;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** What one client does with a session: it stays, hangs up, falls silent, loses its connection and comes back. */
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
        Optional<Duration> beat =
                chance.in(3) ? Optional.of(Duration.ofMillis(chance.between(150, 600))) : Optional.empty();
        WhenGone whenGone = chance.in(3) ? WhenGone.RELEASE : WhenGone.EXPIRE;
        open(wish, new SessionTerms(wish.terms(), beat, whenGone), world.replicaFor(chance, wish.ttl()), then, true);
    }

    private void open(Wish wish, SessionTerms terms, Replica replica, Runnable then, boolean mayReopen) {
        Call call = world.history.begin(client, Kind.SESSION, wish, world.agenda.now());
        SessionConversation session =
                new SessionConversation(world, chance, replica, call, wish, terms, new SessionConversation.Listener() {
                    private Runnable next = then;

                    @Override
                    public void begun(SessionConversation begun) {
                        Claim.lease(call).ifPresent(update);
                        next = behave(begun, wish, terms, replica, then, mayReopen);
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

    /** Decides what the client does, and returns what it does when the session is over. */
    private Runnable behave(
            SessionConversation session,
            Wish wish,
            SessionTerms terms,
            Replica replica,
            Runnable then,
            boolean mayReopen) {
        long some = chance.millis(1, 2 * wish.ttl().toMillis());
        switch (chance.between(0, 5)) {
            case 0 -> world.agenda.after(some, session::fallSilent);
            case 1 -> world.agenda.after(some, session::close);
            case 2 -> {
                world.agenda.after(some, session::close);
                return () -> release.accept(wish);
            }
            case 3, 4 -> {
                world.agenda.after(some, session::loseConnection);
                return mayReopen ? () -> reopen(wish, terms, replica, then) : then;
            }
            default -> {
                // It stays until the service ends it.
            }
        }
        return then;
    }

    /** Only the replica that has the session can tell that it is the same client. */
    private void reopen(Wish wish, SessionTerms terms, Replica before, Runnable then) {
        if (world.mayCall()) {
            world.history.used(Use.SESSION_REOPENED);
            Replica replica = terms.whenGone() == WhenGone.RELEASE ? before : chance.of(world.replicas);
            open(wish, terms, replica, then, false);
        }
    }
}
