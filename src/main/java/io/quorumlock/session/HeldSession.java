package io.quorumlock.session;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.SessionTerms.WhenGone;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Acquires one lease and extends it until a reason comes to end. Lives on the engine's loop. */
final class HeldSession {
    /** A third: one extension may fail, and there is time for others. */
    private static final int PART = 3;

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
    private static final Set<SessionEndReason> NOT_THERE =
            EnumSet.of(SessionEndReason.GONE, SessionEndReason.STALLED, SessionEndReason.SILENT);
    private static final Scheduler.Timer NONE = () -> {};

    private final ResourceName resource;
    private final SessionTerms terms;
    private final Consumer<SessionEvent> holder;
    private final Workshop workshop;
    private final MonotonicTime asked;
    private final Backoff backoff;
    private CompletableFuture<Acquisition> acquiring;
    private LeaseToken token;
    /** When the acquire or the latest extension was sent. */
    private MonotonicTime sent;

    private MonotonicTime end;
    private boolean over;
    private Scheduler.Timer extension = NONE;
    private Scheduler.Timer longest = NONE;
    private Scheduler.Timer silence = NONE;
    private Heartbeats.Watch watch = () -> {};

    /** Is what all sessions of a replica work with. */
    record Workshop(
            LockEngine engine, Heartbeats beats, EngineContext engineContext, Duration longest, Register register) {}

    /** Hears what becomes of a session. */
    interface Register {
        void begun(HeldSession session, SessionManager.Holding holding);

        /** It never began. */
        void left(HeldSession session);

        void over(HeldSession session, SessionManager.Holding holding, SessionEndReason why);

        /** Its lease is due to be released. */
        void release(SessionManager.Holding holding);
    }

    HeldSession(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> holder, Workshop workshop) {
        this.resource = resource;
        this.terms = terms;
        this.holder = holder;
        this.workshop = workshop;
        this.asked = now();
        this.backoff =
                new Backoff(FIRST_RETRY, LONGEST_RETRY, workshop.engineContext().random());
    }

    /** Returns what tells the session from those of other clients; empty if the token is yet to be minted. */
    Optional<SessionManager.Holding> claimed() {
        return terms.lease().token().map(chosen -> new SessionManager.Holding(resource, chosen));
    }

    void begin() {
        if (over) {
            return;
        }
        sent = now();
        acquiring = workshop.engine().acquire(resource, terms.lease());
        acquiring.whenComplete(this::acquired);
    }

    private void acquired(Acquisition outcome, Throwable bug) {
        if (over) {
            return;
        }
        if (outcome instanceof Acquisition.Acquired first) {
            hold(first.lease(), false);
        } else if (outcome instanceof Acquisition.Replayed again) {
            hold(again.lease(), true);
        } else {
            leave(bug == null ? new SessionEvent.Refused(outcome) : new SessionEvent.Failed(bug));
        }
    }

    private void hold(Lease lease, boolean replayed) {
        token = lease.token();
        end = sent.plus(lease.waited()).plus(lease.elapsed()).plus(lease.validity());
        workshop.register().begun(this, holding());
        longest = after(workshop.longest(), () -> end(SessionEndReason.LONGEST));
        if (terms.beat().isPresent()) {
            watch = workshop.beats().watch(resource, token, this::hear);
            hear();
        }
        holder.accept(new SessionEvent.Begun(lease));
        extension = after(replayed ? Duration.ZERO : left().dividedBy(PART), this::extend);
    }

    /** Hears that the client is there. */
    void hear() {
        if (!over && terms.beat().isPresent()) {
            silence.cancel();
            silence = after(terms.beat().get(), () -> end(SessionEndReason.SILENT));
        }
    }

    private void extend() {
        if (left().isZero()) {
            end(SessionEndReason.UNCONFIRMED);
        } else {
            ExtendTerms again = new ExtendTerms(terms.lease().ttl());
            sent = now();
            workshop.engine().extend(resource, token, again).whenComplete(this::extended);
        }
    }

    private void extended(Extension outcome, Throwable bug) {
        if (over) {
            return;
        }
        if (outcome instanceof Extension.Extended extended) {
            Lease lease = extended.lease();
            // Counted from when it was sent: the answer may have been read late, after a pause of this process.
            MonotonicTime decided = sent.plus(lease.elapsed());
            end = decided.plus(lease.validity());
            backoff.reset();
            holder.accept(new SessionEvent.Extended(lease, decided.since(asked)));
            extension = after(left().dividedBy(PART), this::extend);
        } else if (outcome instanceof Extension.Exhausted) {
            end(SessionEndReason.EXHAUSTED);
        } else if (outcome instanceof Extension.Lost || outcome instanceof Extension.TooShort) {
            end(SessionEndReason.LOST);
        } else {
            // Nobody knows, so the lease is as valid as it was: there is time until its end.
            Duration pause = backoff.next();
            extension = after(pause.compareTo(left()) < 0 ? pause : left(), this::extend);
        }
    }

    /** Ends, unless it is over. */
    void end(SessionEndReason why) {
        if (over) {
            return;
        }
        if (token == null) {
            abandon(why);
            return;
        }
        finish();
        workshop.register().over(this, holding(), why);
        if (NOT_THERE.contains(why) && terms.whenGone() == WhenGone.RELEASE) {
            workshop.register().release(holding());
            holder.accept(new SessionEvent.Lost(why));
        } else if (why == SessionEndReason.LOST || why == SessionEndReason.UNCONFIRMED) {
            holder.accept(new SessionEvent.Lost(why));
        } else {
            holder.accept(new SessionEvent.Ended(why, now().since(asked), left()));
        }
    }

    /** What the engine grants to somebody who left it releases (R11). */
    private void abandon(SessionEndReason why) {
        over = true;
        if (acquiring != null) {
            acquiring.cancel(false);
        }
        workshop.register().left(this);
        if (why == SessionEndReason.SHUTDOWN) {
            holder.accept(new SessionEvent.Refused(new Acquisition.ShuttingDown()));
        }
    }

    /** Is over before it began. */
    void leave(SessionEvent why) {
        over = true;
        workshop.register().left(this);
        holder.accept(why);
    }

    private void finish() {
        over = true;
        extension.cancel();
        longest.cancel();
        silence.cancel();
        watch.end();
    }

    private SessionManager.Holding holding() {
        return new SessionManager.Holding(resource, token);
    }

    private Duration left() {
        Duration left = end.since(now());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private MonotonicTime now() {
        return workshop.engineContext().clock().now();
    }

    private Scheduler.Timer after(Duration delay, Runnable task) {
        return workshop.engineContext().scheduler().after(delay, task);
    }
}
