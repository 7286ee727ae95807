package io.quorumlock.waiting;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Unanswered;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Is one caller that waits for a lock, until its deadline or until it leaves. */
final class Waiter {
    private final AcquireTerms terms;
    private final CompletableFuture<Acquisition> answer;
    private final Moment joined;
    private Scheduler.Timer deadline = () -> {};
    private boolean late;
    private int tries;

    Waiter(AcquireTerms terms, CompletableFuture<Acquisition> answer, Moment joined) {
        this.terms = terms;
        this.answer = answer;
        this.joined = joined;
    }

    AcquireTerms terms() {
        return terms;
    }

    Moment joined() {
        return joined;
    }

    void setDeadline(Scheduler.Timer timer) {
        deadline = timer;
    }

    /** Notes an attempt. If the caller has left, or leaves before it ends, the attempt takes back what it wrote (R11). */
    void tries(CompletableFuture<Acquisition> attempt) {
        tries++;
        answer.whenComplete((outcome, failure) -> {
            if (answer.isCancelled()) {
                attempt.cancel(false);
            }
        });
    }

    /** Returns a lease as after this wait: longer by no more than surely passed before the attempt began. */
    Lease waitedFor(Lease lease, Moment began, double drift) {
        return lease.after(Duration.ofNanos((long) (began.since(joined).toNanos() * (1 - drift))));
    }

    /** Says what an outcome means to a caller who knows nothing of the attempts before. */
    Acquisition told(Acquisition outcome, Duration waited) {
        if (outcome instanceof Acquisition.Held held) {
            return held.after(waited);
        }
        if (outcome instanceof Acquisition.Replayed replayed && tries > 1) {
            return new Acquisition.Acquired(replayed.lease());
        }
        return outcome instanceof Acquisition.NoQuorum none
                ? new Acquisition.NoQuorum(ofAllTries(none.why()))
                : outcome;
    }

    /** R15: whatever the last attempt did, those before it may have left something. */
    private Unanswered ofAllTries(Unanswered last) {
        return switch (tries) {
            case 0 -> last.with(Unanswered.Effect.NONE);
            case 1 -> last;
            default -> last.with(Unanswered.Effect.UNKNOWN);
        };
    }

    /** Notes that the deadline passed while an attempt was under way: its outcome is the answer. */
    void becomeLate() {
        late = true;
    }

    boolean isLate() {
        return late;
    }

    /** Answers, and says whether the caller was still there to hear it (R11). */
    boolean answer(Acquisition outcome) {
        deadline.cancel();
        return answer.complete(outcome);
    }

    void fail(Throwable bug) {
        deadline.cancel();
        answer.completeExceptionally(bug);
    }
}
