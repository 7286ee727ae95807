// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.simulation.Call.Wish;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A session between client and replica: a request, a stream of events, and heartbeats through any replica. */
final class SessionConversation {
    private static final long LONGEST = Scale.SESSION_LONGEST.toNanos() + Scale.millis(1_000);
    private static final long SHORTEST_TRAVEL = 20_000;
    private static final int BEATS = 3;
    private static final Duration LONGEST_ROUND = Scale.NODE_TIMEOUT.multipliedBy(2);

    private final World world;
    private final Chance chance;
    private final Replica replica;
    private final SessionTerms terms;
    private final Call call;
    private final Listener listener;
    private final ResourceName resource;
    private final LeaseToken token;
    private Optional<CompletableFuture<Opening>> opening = Optional.empty();
    private long arrival;
    private long lastNews;
    private long lastBeatHeard;
    private boolean silent;
    private boolean over;
    /** Whether the connection ended before the replica read the request. */
    private boolean gone;

    /** The client of the session. */
    interface Listener {
        void begun(SessionConversation session);

        void over(Call call);
    }

    SessionConversation(
            World world, Chance chance, Replica replica, Call call, Wish wish, SessionTerms terms, Listener listener) {
        this.world = world;
        this.chance = chance;
        this.replica = replica;
        this.terms = terms;
        this.call = call;
        this.listener = listener;
        this.resource = wish.resource();
        this.token = wish.token();
    }

    void begin() {
        call.replica = replica.number;
        world.opened();
        world.story.log(() -> "> SESSION #" + call.number + " client-" + call.client + " replica-" + replica.number
                + " " + terms.whenGone() + " beat " + terms.beat() + " " + call);
        lastBeatHeard = world.agenda.now();
        arrival = world.agenda.now() + travel();
        world.agenda.at(arrival, this::open);
        world.agenda.after(LONGEST + (long) (call.patience.toNanos() * (1 + Scale.RATE_ERROR)), this::close);
    }

    Call call() {
        return call;
    }

    private void open() {
        if (!replica.isUp() || !replica.allows(call.ttl)) {
            call.hindered = true;
            world.agenda.after(travel(), this::finish);
            return;
        }
        replica.run(() -> {
            if (!gone) {
                replica.runOutsideTheLoop(() -> {
                    replica.runOnLoop(() -> call.started = world.agenda.now());
                    CompletableFuture<Opening> begun = replica.sessions().open(resource, terms, this::send);
                    opening = Optional.of(begun);
                    begun.whenComplete((outcome, bug) -> {
                        if (!begun.isCancelled()) {
                            send(bug == null ? outcome : bug);
                        }
                    });
                });
            }
        });
    }

    /** Sends a message to the client. Runs at the replica. */
    private void send(Object news) {
        long decided = world.agenda.now();
        if (!call.isDecided()) {
            call.decided = decided;
        }
        call.gaveUp |= news instanceof Opening.Refused refused
                && refused.why() instanceof Acquisition.TooShort tooShort
                && tooShort.wasHeld();
        long asked = replica.clock().trueTime(duration(news));
        lastNews = Math.max(lastNews, decided + travel());
        world.agenda.at(lastNews, () -> receive(new Call.News(asked, decided, world.agenda.now(), news)));
    }

    /** Returns how long the replica asked the masters, by its own clock. */
    private static Duration duration(Object news) {
        return news instanceof SessionEvent.Extended extended ? extended.lease().elapsed() : LONGEST_ROUND;
    }

    private void receive(Call.News news) {
        if (over) {
            return;
        }
        world.story.log(() -> "  SESSION #" + call.number + " received " + news.what());
        call.news.add(news);
        if (!call.hasReturned()) {
            call.outcome = Optional.of(news.what());
            call.returned = news.heard();
            world.watch(call);
        }
        if (news.what() instanceof Opening.Opened begun) {
            world.history.used(Use.SESSION_BEGUN);
            // The replica expects heartbeats from the grant on, which was no earlier than this.
            Duration until = begun.lease().waited().plus(begun.lease().elapsed());
            lastBeatHeard = Math.max(lastBeatHeard, call.invoked + until.toNanos());
            listener.begun(this);
            beat();
            stopUnlessConfirmed();
        } else if (news.what() instanceof SessionEvent.Extended) {
            world.history.used(Use.SESSION_EXTENDED);
        } else {
            if (news.what() instanceof SessionEvent.Ended ended && ended.why() == SessionEndReason.SILENT
                    || news.what() instanceof SessionEvent.Lost lost && lost.why() == SessionEndReason.SILENT) {
                world.history.used(Use.BEAT_MISSED);
            }
            finish();
        }
    }

    private void beat() {
        if (terms.beat().isEmpty() || over || silent) {
            return;
        }
        long sent = world.agenda.now();
        Replica any = chance.of(world.replicas);
        world.agenda.after(travel(), () -> {
            if (any.isUp()) {
                any.run(() -> any.sessions().beat(resource, token).thenAccept(answer -> answered(answer, sent)));
            }
        });
        world.agenda.after(terms.beat().get().toNanos() / BEATS, this::beat);
    }

    private void answered(BeatOutcome answer, long sent) {
        if (answer instanceof BeatOutcome.Heard) {
            world.history.used(Use.BEAT_HEARD);
            world.agenda.after(travel(), () -> lastBeatHeard = Math.max(lastBeatHeard, sent));
        }
    }

    /**
     * Stops the client if none of its heartbeats was confirmed for the agreed time and its lease is released in this
     * case.
     */
    private void stopUnlessConfirmed() {
        if (terms.beat().isEmpty() || over || terms.whenGone() == WhenGone.EXPIRE) {
            return;
        }
        long end = lastBeatHeard + (long) (terms.beat().get().toNanos() * (1 - Scale.DRIFT.factor()));
        if (end <= world.agenda.now()) {
            call.stopped = Math.min(call.stopped, end);
        } else {
            world.agenda.at(end, this::stopUnlessConfirmed);
        }
    }

    /** Sends no more heartbeats. */
    void stopHeartbeats() {
        silent = true;
    }

    /** Closes the connection. */
    void close() {
        if (!over) {
            world.history.used(Use.SESSION_ENDED_BY_CLIENT);
            stop();
            call.impatient = true;
            world.agenda.at(
                    Math.max(arrival, world.agenda.now() + travel()),
                    () -> replica.run(() -> replica.runOutsideTheLoop(this::leave)));
            finish();
        }
    }

    /** Loses the connection. The replica detects this later. */
    void loseConnection() {
        if (!over) {
            stop();
            call.impatient = true;
            world.agenda.after(chance.millis(0, 300), () -> replica.run(() -> replica.runOutsideTheLoop(this::leave)));
            finish();
        }
    }

    private void stop() {
        if (terms.whenGone() == WhenGone.RELEASE) {
            call.stopped = Math.min(call.stopped, world.agenda.now());
        }
    }

    private void leave() {
        gone = true;
        replica.runOnLoop(this::recordLeaving);
        opening.filter(future -> !future.cancel(false))
                .map(CompletableFuture::join)
                .filter(Opening.Opened.class::isInstance)
                .map(Opening.Opened.class::cast)
                .ifPresent(opened -> opened.session().end(SessionEndReason.GONE));
    }

    /** Runs on the replica's event loop, immediately before it ends the session. */
    private void recordLeaving() {
        long shortage = world.history.lastShortage(token);
        if (!call.isDecided() && shortage >= call.started) {
            call.gaveUp = true;
            call.decided = shortage;
        } else if (!call.isDecided()) {
            call.left = true;
            world.watch(call);
        }
    }

    private void finish() {
        if (!over) {
            over = true;
            call.hindered |= replica.hinderedAt() >= call.invoked;
            call.suspended = replica.suspendedAt() >= call.invoked;
            world.closed();
            listener.over(call);
        }
    }

    private long travel() {
        return SHORTEST_TRAVEL + chance.millis(0, 2);
    }
}
