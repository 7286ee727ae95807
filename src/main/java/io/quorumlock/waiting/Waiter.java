package io.quorumlock.waiting;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Is one caller that waits for a lock, until its deadline or until it leaves. */
final class Waiter {
    private final AcquireTerms terms;
    private final CompletableFuture<Acquisition> answer;
    private final MonotonicTime joined;
    private Scheduler.Timer deadline = () -> {};
    private boolean late;
    private int tries;

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

    /** Notes an attempt. If the caller has left, or leaves before it ends, the attempt takes back what it wrote (R11). */
    void tries(CompletableFuture<Acquisition> attempt) {
        tries++;
        answer.whenComplete((outcome, failure) -> {
            if (answer.isCancelled()) {
                attempt.cancel(false);
            }
        });
    }

    /** Returns whether its token may hold the lock already, as far as its own attempts tell. */
    boolean mayRepeat() {
        return terms.token().isPresent() && tries == 0;
    }

    /** Returns a grant as after this wait: waited for by no more than surely passed before the attempt began. */
    Acquisition served(Acquisition grant, MonotonicTime began, double drift) {
        Duration wait = Duration.ofNanos((long) (began.since(joined).toNanos() * (1 - drift)));
        return grant instanceof Acquisition.Replayed replayed
                ? new Acquisition.Replayed(replayed.lease().after(wait))
                : new Acquisition.Acquired(
                        ((Acquisition.Acquired) grant).lease().after(wait));
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
    private NoQuorumReason ofAllTries(NoQuorumReason last) {
        return switch (tries) {
            case 0 -> last.with(NoQuorumReason.Effect.NONE);
            case 1 -> last;
            default -> last.with(NoQuorumReason.Effect.UNKNOWN);
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
