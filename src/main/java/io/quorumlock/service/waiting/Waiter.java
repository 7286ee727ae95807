// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One caller that waits for locks until its deadline, or until it disconnects. It is in the queue of one of the locks that
 * were held at its last attempt.
 */
final class Waiter {
    private final ResourceNames resources;
    private final AcquireTerms terms;
    private final CompletableFuture<Acquisition> answer;
    private final MonotonicTime joined;
    private final Place place;
    private Scheduler.Timer deadline = () -> {};
    private Optional<CompletableFuture<Acquisition>> attempt = Optional.empty();
    private Queue queue;
    private int attempts;
    private int queues;
    private boolean refused;
    /** The possible effect of all attempts that ended (R15). */
    private Effect effect = Effect.NONE;

    private boolean expired;
    private boolean left;

    /**
     * The place of a waiter.
     *
     * @param number in the order of arrival
     * @param overtaken whether other clients overtook it
     */
    record Place(long number, boolean overtaken) {}

    /** What a queue does at the end of a wait. */
    interface Queue {
        /** Called when the time of the waiter is over. */
        void expire(Waiter waiter);

        /** Called when the caller is gone. */
        void leave(Waiter waiter);
    }

    Waiter(
            ResourceNames resources,
            AcquireTerms terms,
            CompletableFuture<Acquisition> answer,
            MonotonicTime joined,
            Place place) {
        this.resources = resources;
        this.terms = terms;
        this.answer = answer;
        this.joined = joined;
        this.place = place;
    }

    ResourceNames resources() {
        return resources;
    }

    AcquireTerms terms() {
        return terms;
    }

    MonotonicTime joined() {
        return joined;
    }

    Queue queue() {
        return queue;
    }

    void setQueue(Queue next) {
        queue = next;
        queues++;
    }

    /** Returns whether it had to go back to a lock that had been free: another client overtook it. */
    boolean isOvertaken() {
        return place.overtaken() || queues > 2;
    }

    /** Returns its number in the order of arrival. */
    long place() {
        return place.number();
    }

    void scheduleDeadline(Scheduler scheduler) {
        deadline = scheduler.after(terms.patience(), () -> queue.expire(this));
    }

    /** Returns whether it may hold the lock together with others, however many. */
    boolean isReader() {
        return terms.kind().equals(LockKind.SHARED);
    }

    boolean hasToken(LeaseToken token) {
        return terms.token().equals(Optional.of(token));
    }

    /**
     * Makes an attempt. If the caller disconnects before it ends, the attempt is cancelled at once and deletes its values
     * (R11).
     *
     * @param asksAgain the time within which another attempt follows
     */
    CompletableFuture<Acquisition> attempt(LockEngine engine, Duration asksAgain) {
        AcquireTerms own = terms.ofWaiter(asksAgain, isOvertaken() ? "/" + place() : "");
        CompletableFuture<Acquisition> outcome = engine.acquire(resources, own);
        attempt = Optional.of(outcome);
        attempts++;
        answer.whenComplete((result, failure) -> {
            if (answer.isCancelled()) {
                outcome.cancel(false);
            }
        });
        return outcome;
    }

    /** Notes the outcome of an attempt; null if there is none. */
    void attemptEnded(Acquisition outcome) {
        attempt = Optional.empty();
        refused |= outcome instanceof Acquisition.Held;
        if (!(outcome instanceof Acquisition.NoQuorum noQuorum)
                || noQuorum.why().effect() != Effect.NONE) {
            effect = Effect.UNKNOWN;
        }
    }

    /** Returns whether its token may hold the lock, because no attempt with it found another holder. */
    boolean mayHold() {
        return terms.token().isPresent() && !refused;
    }

    boolean isAttempting() {
        return attempt.isPresent();
    }

    /** Returns whether its attempt has an outcome that the queue has not evaluated yet. */
    boolean isDecided() {
        return attempt.filter(CompletableFuture::isDone).isPresent();
    }

    /** Notes that the deadline passed during an attempt. The outcome of the attempt is the result. */
    void expireAfterAttempt() {
        expired = true;
    }

    boolean isExpired() {
        return expired;
    }

    /**
     * Returns a grant with the time that the caller waited before the attempt: a lower bound for any clock within the
     * drift.
     */
    Acquisition withWait(Acquisition grant, MonotonicTime began, double drift) {
        Duration wait = Duration.ofNanos((long) (began.since(joined).toNanos() * (1 - drift)));
        return grant.waited(wait);
    }

    /** Ends the wait and an attempt that is in progress. Returns whether the caller was still there (R11). */
    boolean complete(Acquisition outcome) {
        left = true;
        deadline.cancel();
        attempt.ifPresent(current -> current.cancel(false));
        return answer.complete(outcome);
    }

    /** Releases a lease whose caller left (R11). A token that the client chose may belong to another request as well. */
    void takeBack(Acquisition outcome, LockEngine engine) {
        if (outcome instanceof Acquisition.Acquired acquired && terms.token().isEmpty()) {
            engine.release(resources, acquired.lease().token(), Duration.ZERO);
        }
    }

    /** Returns whether its wait ended. */
    boolean hasLeft() {
        return left;
    }

    void fail(Throwable bug) {
        answer.completeExceptionally(bug);
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
                ? new Acquisition.NoQuorum(noQuorum.why().with(effect))
                : outcome;
    }
}
