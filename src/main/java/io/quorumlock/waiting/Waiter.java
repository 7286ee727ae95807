// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One caller that waits for a lock until its deadline, or until it disconnects. */
final class Waiter {
    private final AcquireTerms terms;
    private final CompletableFuture<Acquisition> answer;
    private final MonotonicTime joined;
    private Scheduler.Timer deadline = () -> {};
    private boolean expired;
    private int attempts;

    Waiter(AcquireTerms terms, CompletableFuture<Acquisition> answer, MonotonicTime joined) {
        this.terms = terms;
        this.answer = answer;
        this.joined = joined;
    }

    AcquireTerms terms() {
        return terms;
    }

    MonotonicTime joined() {
        return joined;
    }

    void setDeadline(Scheduler.Timer timer) {
        deadline = timer;
    }

    /**
     * Notes an attempt. If the caller disconnects before it ends, the attempt is cancelled and deletes its values
     * (R11).
     */
    void attemptStarted(CompletableFuture<Acquisition> attempt) {
        attempts++;
        answer.whenComplete((outcome, failure) -> {
            if (answer.isCancelled()) {
                attempt.cancel(false);
            }
        });
    }

    /** Returns whether its token may already hold the lock, because no attempt was made for it yet. */
    boolean mayHoldAlready() {
        return terms.token().isPresent() && attempts == 0;
    }

    /**
     * Returns a grant with the time that the caller waited before the attempt: a lower bound for any clock within the
     * drift.
     */
    Acquisition withWait(Acquisition grant, MonotonicTime began, double drift) {
        Duration wait = Duration.ofNanos((long) (began.since(joined).toNanos() * (1 - drift)));
        return grant instanceof Acquisition.Replayed replayed
                ? new Acquisition.Replayed(replayed.lease().after(wait))
                : new Acquisition.Acquired(
                        ((Acquisition.Acquired) grant).lease().after(wait));
    }

    /** Returns the outcome of the caller's request, which may have taken several attempts. */
    Acquisition outcomeForCaller(Acquisition outcome, Duration waited) {
        if (outcome instanceof Acquisition.Held held) {
            return held.after(waited);
        }
        if (outcome instanceof Acquisition.Replayed replayed && attempts > 1) {
            return new Acquisition.Acquired(replayed.lease());
        }
        return outcome instanceof Acquisition.NoQuorum noQuorum
                ? new Acquisition.NoQuorum(ofAllAttempts(noQuorum.why()))
                : outcome;
    }

    /** Combines the effects of all attempts: those before the last one may have had an effect (R15). */
    private NoQuorumReason ofAllAttempts(NoQuorumReason last) {
        return switch (attempts) {
            case 0 -> last.with(NoQuorumReason.Effect.NONE);
            case 1 -> last;
            default -> last.with(NoQuorumReason.Effect.UNKNOWN);
        };
    }

    /** Notes that the deadline passed during an attempt. The outcome of the attempt is the result. */
    void expireAfterAttempt() {
        expired = true;
    }

    boolean isExpired() {
        return expired;
    }

    /** Completes the wait, and returns whether the caller was still there (R11). */
    boolean complete(Acquisition outcome) {
        deadline.cancel();
        return answer.complete(outcome);
    }

    void fail(Throwable bug) {
        deadline.cancel();
        answer.completeExceptionally(bug);
    }
}
