// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
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

/** One session: acquires a lease and extends it until the session ends. Confined to the event loop. */
final class HeldSession {
    /** The divisor of the remaining time: an extension is sent after a third, which leaves time for retries. */
    private static final int PART = 3;

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
    /**
     * The part of the heartbeat interval in which a silent session reads heartbeats that other replicas have already confirmed to
     * the client. They may have waited during a pause of this process.
     */
    private static final int LAST_HEARTBEATS = 10;
    /** A timer that is later than this indicates a pause of this process. */
    private static final Duration PAUSED = Duration.ofMillis(10);

    private static final Set<SessionEndReason> NOT_THERE = EnumSet.of(
            SessionEndReason.GONE, SessionEndReason.UNDELIVERED, SessionEndReason.STALLED, SessionEndReason.SILENT);
    private static final Scheduler.Timer NONE = () -> {};

    private final ResourceName resource;
    private final SessionTerms terms;
    private final Consumer<SessionEvent> listener;
    private final Context context;
    private final CompletableFuture<Opening> opening = new CompletableFuture<>();
    private final MonotonicTime requested;
    private final Backoff backoff;
    private volatile CompletableFuture<Acquisition> acquiring;
    private LeaseToken token;
    /** Time at which the acquire or the latest extension was sent. */
    private MonotonicTime sent;

    private MonotonicTime end;
    private boolean outcomeRead;
    private boolean over;
    private Scheduler.Timer extension = NONE;
    private Scheduler.Timer longest = NONE;
    private Scheduler.Timer silence = NONE;
    private Heartbeats.Watch watch = () -> {};

    /** Dependencies shared by all sessions of a replica. */
    record Context(
            LockEngine engine,
            Heartbeats heartbeats,
            EngineContext engineContext,
            Duration longest,
            Registry registry) {}

    /** The receiver of the state changes of sessions. */
    interface Registry {
        void begun(HeldSession session, SessionManager.Key key);

        /** The session ended before it got its lease. */
        void abandoned(HeldSession session);

        void ended(HeldSession session, SessionManager.Key key, SessionEndReason why);

        /** The lease of the session must be released. */
        void release(SessionManager.Key key);
    }

    HeldSession(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> listener, Context context) {
        this.resource = resource;
        this.terms = terms;
        this.listener = listener;
        this.context = context;
        this.requested = now();
        this.backoff =
                new Backoff(FIRST_RETRY, LONGEST_RETRY, context.engineContext().random());
        opening.whenComplete((outcome, failure) -> {
            if (opening.isCancelled()) {
                cancelAttempt();
                context.engineContext().loop().execute(() -> end(SessionEndReason.UNDELIVERED));
            }
        });
    }

    /** Cancels the attempt at once, on any thread: the engine then deletes exactly what the attempt writes (R11). */
    private void cancelAttempt() {
        CompletableFuture<Acquisition> attempt = acquiring;
        if (attempt != null) {
            attempt.cancel(false);
        }
    }

    /** Returns whether the acquire has an outcome that {@link #acquired} has not got yet. */
    private boolean hasUnreadOutcome() {
        CompletableFuture<Acquisition> attempt = acquiring;
        return attempt != null && attempt.isDone() && !attempt.isCancelled() && !outcomeRead;
    }

    CompletableFuture<Opening> opening() {
        return opening;
    }

    /** Returns the key of the session; empty if the engine generates the token. */
    Optional<SessionManager.Key> chosenKey() {
        return terms.lease().token().map(chosen -> new SessionManager.Key(resource, chosen));
    }

    void acquire() {
        if (over || opening.isCancelled()) {
            return;
        }
        sent = now();
        acquiring = context.engine().acquire(resource, terms.lease());
        // A caller that cancels runs the actions of the future on its own thread, even if it was complete already.
        acquiring.whenCompleteAsync(this::acquired, context.engineContext().loop());
    }

    private void acquired(Acquisition outcome, Throwable bug) {
        outcomeRead = true;
        if (over || acquiring.isCancelled()) {
            return;
        }
        if (outcome instanceof Acquisition.Acquired first) {
            hold(first.lease(), false);
        } else if (outcome instanceof Acquisition.Replayed again) {
            hold(again.lease(), true);
        } else if (bug == null) {
            refuse(new Opening.Refused(outcome));
        } else {
            fail(bug);
        }
    }

    private void hold(Lease lease, boolean replayed) {
        token = lease.token();
        end = sent.plus(lease.waited()).plus(lease.elapsed()).plus(lease.validity());
        context.registry().begun(this, key());
        longest = after(context.longest(), () -> end(SessionEndReason.LONGEST));
        if (terms.beat().isPresent()) {
            watch = context.heartbeats().watch(resource, token, this::heartbeat);
            heartbeat();
        }
        Opening opened =
                new Opening.Opened(why -> context.engineContext().loop().execute(() -> end(why)), lease);
        // If the caller cancels now, the session ends as that of a client that is gone.
        opening.complete(opened);
        extension = after(replayed ? Duration.ZERO : left().dividedBy(PART), this::extend);
    }

    /** Notes a heartbeat of the client. */
    void heartbeat() {
        if (!over && terms.beat().isPresent()) {
            silence.cancel();
            silence = after(terms.beat().get(), () -> readLastHeartbeats(LAST_HEARTBEATS));
        }
    }

    /** Ends the session after the last heartbeats were read. A late timer indicates a pause, so it waits again. */
    private void readLastHeartbeats(int attempts) {
        Duration delay = terms.beat().orElseThrow().dividedBy(LAST_HEARTBEATS);
        MonotonicTime due = now().plus(delay);
        silence = after(delay, () -> {
            if (attempts > 1 && now().since(due).compareTo(PAUSED) > 0) {
                readLastHeartbeats(attempts - 1);
            } else {
                end(SessionEndReason.SILENT);
            }
        });
    }

    private void extend() {
        if (left().isZero()) {
            end(SessionEndReason.UNCONFIRMED);
        } else {
            ExtendTerms again = new ExtendTerms(terms.lease().ttl());
            sent = now();
            context.engine().extend(resource, token, again).whenComplete(this::extended);
        }
    }

    private void extended(Extension outcome, Throwable bug) {
        if (over) {
            return;
        }
        if (outcome instanceof Extension.Extended extended) {
            Lease lease = extended.lease();
            // Counts from the time when the extension was sent, because a pause of this process can delay the outcome.
            MonotonicTime decided = sent.plus(lease.elapsed());
            end = decided.plus(lease.validity());
            backoff.reset();
            listener.accept(new SessionEvent.Extended(lease, decided.since(requested)));
            extension = after(left().dividedBy(PART), this::extend);
        } else if (outcome instanceof Extension.Exhausted) {
            end(SessionEndReason.EXHAUSTED);
        } else if (outcome instanceof Extension.Lost || outcome instanceof Extension.TooShort) {
            end(SessionEndReason.LOST);
        } else {
            // The outcome is unknown. The lease is as valid as before, so there is time for retries until its end.
            Duration pause = backoff.next();
            extension = after(pause.compareTo(left()) < 0 ? pause : left(), this::extend);
        }
    }

    /** Ends the session. Has no effect after its end. */
    void end(SessionEndReason why) {
        if (over) {
            return;
        }
        if (token == null && hasUnreadOutcome()) {
            // The session gets its lease first, if there is one.
            context.engineContext().loop().execute(() -> end(why));
            return;
        }
        if (token == null) {
            abandon(why);
            return;
        }
        finish();
        context.registry().ended(this, key(), why);
        boolean unknown =
                why == SessionEndReason.UNDELIVERED && terms.lease().token().isEmpty();
        if (unknown || NOT_THERE.contains(why) && terms.whenGone() == WhenGone.RELEASE) {
            context.registry().release(key());
            listener.accept(new SessionEvent.Lost(why));
        } else if (why == SessionEndReason.LOST || why == SessionEndReason.UNCONFIRMED) {
            listener.accept(new SessionEvent.Lost(why));
        } else {
            listener.accept(new SessionEvent.Ended(why, now().since(requested), left()));
        }
    }

    /** Cancels the acquire. The engine releases a lease that it grants after that (R11). */
    private void abandon(SessionEndReason why) {
        over = true;
        cancelAttempt();
        context.registry().abandoned(this);
        if (why == SessionEndReason.SHUTDOWN) {
            opening.complete(new Opening.Refused(new Acquisition.ShuttingDown()));
        }
    }

    /** Completes the opening without a session. */
    void refuse(Opening why) {
        over = true;
        context.registry().abandoned(this);
        opening.complete(why);
    }

    /** Fails the opening because of a bug. */
    void fail(Throwable bug) {
        over = true;
        context.registry().abandoned(this);
        opening.completeExceptionally(bug);
    }

    private void finish() {
        over = true;
        extension.cancel();
        longest.cancel();
        silence.cancel();
        watch.end();
    }

    private SessionManager.Key key() {
        return new SessionManager.Key(resource, token);
    }

    private Duration left() {
        Duration left = end.since(now());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private MonotonicTime now() {
        return context.engineContext().clock().now();
    }

    private Scheduler.Timer after(Duration delay, Runnable task) {
        return context.engineContext().scheduler().after(delay, task);
    }
}
