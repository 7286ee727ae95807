// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One session: acquires a lease and extends it until the session ends. Confined to the event loop. */
final class Session {
    /** The divisor of the remaining time: an extension is sent after a third, which leaves time for retries. */
    private static final int PART = 3;
    /** The shortest time between two extensions. It limits the retries at the end of a lease. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    private final ResourceName resource;
    private final AcquireTerms terms;
    private final SessionClient client;
    private final LockEngine engine;
    private final EngineContext engineContext;
    private final Consumer<Session> ended;
    private final MonotonicTime requested;
    private CompletableFuture<Acquisition> acquiring = new CompletableFuture<>();
    private Optional<LeaseToken> token = Optional.empty();
    /** Time at which the acquire or the latest extension was sent. */
    private MonotonicTime sent;

    private MonotonicTime end;
    private boolean over;
    private Optional<SessionEndReason> reason = Optional.empty();
    private Scheduler.Timer extension = () -> {};

    /** @param ended called at the end of the session, also if it never had its lease */
    Session(
            ResourceName resource,
            AcquireTerms terms,
            SessionClient client,
            LockEngine engine,
            EngineContext engineContext,
            Consumer<Session> ended) {
        this.resource = resource;
        this.terms = terms;
        this.client = client;
        this.engine = engine;
        this.engineContext = engineContext;
        this.ended = ended;
        this.requested = now();
    }

    /** Returns the reason of the end of a session that had its lease. */
    Optional<SessionEndReason> reason() {
        return reason;
    }

    void acquire() {
        sent = now();
        acquiring = engine.acquire(resource, terms);
        acquiring.whenComplete(this::acquired);
    }

    private void acquired(Acquisition outcome, Throwable bug) {
        if (over) {
            return;
        }
        if (bug != null) {
            close();
            client.failed(bug);
            return;
        }
        outcome.granted().ifPresentOrElse(this::hold, () -> {
            close();
            client.refused(outcome);
        });
    }

    private void hold(Lease lease) {
        token = Optional.of(lease.token());
        end = sent.plus(lease.waited()).plus(lease.elapsed()).plus(lease.validity());
        client.began(lease);
        scheduleExtension();
    }

    private void scheduleExtension() {
        Duration left = left();
        Duration pause = Durations.max(left.dividedBy(PART), SHORTEST_PAUSE);
        extension = engineContext.scheduler().after(Durations.min(pause, left), this::extend);
    }

    private void extend() {
        if (left().isZero()) {
            end(SessionEndReason.UNCONFIRMED);
        } else {
            sent = now();
            engine.extend(resource, token.orElseThrow(), terms.ttl()).whenComplete(this::extended);
        }
    }

    private void extended(Extension outcome, Throwable bug) {
        if (over) {
            return;
        }
        // After a bug the outcome is unknown.
        Extension.Kind kind = bug == null ? outcome.kind() : Extension.Kind.UNCONFIRMED;
        Runnable next =
                switch (kind) {
                    case EXTENDED -> () -> continueWith(((Extension.Extended) outcome).lease());
                    case EXHAUSTED -> () -> end(SessionEndReason.EXHAUSTED);
                    case LOST, NOT_OWNER -> () -> end(SessionEndReason.LOST);
                        // The lease is as valid as before, so there is time for retries until its end.
                    case UNCONFIRMED -> this::scheduleExtension;
                };
        next.run();
    }

    private void continueWith(Lease lease) {
        // Counts from the time when the extension was sent, because a pause of this process can delay the outcome.
        MonotonicTime decided = sent.plus(lease.elapsed());
        end = decided.plus(lease.validity());
        client.extended(lease, decided.since(requested));
        scheduleExtension();
    }

    /** Ends the session. Has no effect after its end. */
    void end(SessionEndReason why) {
        if (over) {
            return;
        }
        if (token.isEmpty()) {
            abandon(why);
            return;
        }
        reason = Optional.of(why);
        close();
        if (why == SessionEndReason.UNDELIVERED && terms.token().isEmpty()) {
            // Nobody knows the token (R11). A client that chose it may have repeated the request.
            engine.release(resource, token.get());
        }
        if (why == SessionEndReason.LOST || why == SessionEndReason.UNCONFIRMED) {
            client.lost(why);
        } else {
            client.ended(why, now().since(requested), left());
        }
    }

    /** Cancels the acquire. The engine deletes a lease that it grants after that (R11). */
    private void abandon(SessionEndReason why) {
        close();
        acquiring.cancel(false);
        if (why == SessionEndReason.SHUTDOWN) {
            client.refused(new Acquisition.ShuttingDown());
        }
    }

    private void close() {
        over = true;
        extension.cancel();
        ended.accept(this);
    }

    private Duration left() {
        return Durations.max(end.since(now()), Duration.ZERO);
    }

    private MonotonicTime now() {
        return engineContext.clock().now();
    }
}
