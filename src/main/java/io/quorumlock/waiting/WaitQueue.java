// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The waiters for one resource, in order of arrival. Only the first one makes attempts, by a schedule. */
final class WaitQueue implements AttemptSchedule.Queue {
    private final ResourceName resource;
    private final Context context;
    private final WaitList waiters = new WaitList();
    private final LastRefusal refusal;
    private final AttemptSchedule schedule;
    /** Waiters whose time ended during the attempt of another one, and whose tokens may hold the lock. */
    private final List<Waiter> expired = new ArrayList<>();

    private boolean afterLastAttempt;

    private Attempt current;

    /**
     * Dependencies shared by all queues.
     *
     * @param drift the relative difference of two clocks
     */
    record Context(
            LockEngine engine,
            int quorum,
            double drift,
            ReleaseSignal signal,
            EngineContext engineContext,
            Departures departures) {}

    /** The receiver of waiters that left their queue. */
    @FunctionalInterface
    interface Departures {
        void left(WaitQueue queue, Acquisition outcome, Duration waited);
    }

    /**
     * The attempt in progress.
     *
     * @param repeats whether the token of the waiter presumably holds the lock
     */
    private record Attempt(Waiter waiter, boolean repeats, CompletableFuture<Acquisition> outcome) {
        /** Returns whether the attempt has its outcome, which the queue has not evaluated yet. */
        boolean isDecided() {
            return outcome.isDone() && !outcome.isCancelled();
        }
    }

    WaitQueue(ResourceName resource, Context context) {
        this.resource = resource;
        this.context = context;
        this.refusal = new LastRefusal(context.engineContext().clock());
        this.schedule = new AttemptSchedule(this, resource, context, refusal);
    }

    ResourceName resource() {
        return resource;
    }

    int size() {
        return waiters.size();
    }

    @Override
    public boolean isEmpty() {
        return waiters.isEmpty();
    }

    @Override
    public boolean isAttempting() {
        return current != null;
    }

    AttemptSchedule schedule() {
        return schedule;
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
        waiter.setDeadline(
                context.engineContext().scheduler().after(waiter.terms().patience(), () -> expire(waiter)));
        if (waiters.size() == 1 || refusal.isHeldBy(waiter.terms().token())) {
            attempt();
        } else if (waiter.terms().token().isPresent()) {
            schedule.possibleHolderJoined();
        }
    }

    /** Removes a waiter whose caller disconnected. The engine releases a lease that its attempt still wins (R11). */
    void leave(Waiter waiter) {
        if (waiters.contains(waiter)) {
            remove(waiter, refusal.current());
        }
    }

    void close() {
        for (Waiter waiter : waiters.copy()) {
            if (current != null && waiter == current.waiter() && current.isDecided()) {
                waiter.expireAfterAttempt();
            } else {
                remove(waiter, new Acquisition.ShuttingDown());
            }
        }
        if (current != null) {
            current.outcome().cancel(false);
        }
    }

    /**
     * Ends the wait. If this replica does not know whether the waiter's token holds the lock, it makes a last attempt
     * first, after the attempt in progress.
     */
    private void expire(Waiter waiter) {
        boolean unknown = waiter.mayHoldAlready() && refusal.mayHideHolderSince(waiter.joined());
        if (current == null && waiters.contains(waiter) && unknown) {
            attemptFor(waiter, true);
        }
        if (current != null && waiter == current.waiter()) {
            waiter.expireAfterAttempt();
        } else if (current != null && unknown) {
            expired.add(waiter);
        } else if (waiters.contains(waiter)) {
            remove(waiter, refusal.current());
        }
    }

    /** Ends the waits that expired during an attempt, after one more attempt at most. */
    private void endExpiredWaits() {
        if (current != null) {
            return;
        }
        List<Waiter> late = List.copyOf(expired);
        expired.clear();
        for (Waiter waiter : late) {
            if (!afterLastAttempt) {
                expire(waiter);
            } else if (waiters.contains(waiter)) {
                remove(waiter, refusal.current());
            }
        }
        afterLastAttempt = current != null;
    }

    /**
     * Makes an attempt for a waiter whose token holds the lock, which gets its lease again, else for the first waiter.
     */
    @Override
    public void attempt() {
        if (current == null && !waiters.isEmpty()) {
            Optional<Waiter> holder = refusal.holder().flatMap(waiters::find);
            attemptFor(holder.orElseGet(waiters::head), holder.isPresent());
        }
    }

    private void attemptFor(Waiter waiter, boolean repeats) {
        schedule.attemptStarted();
        MonotonicTime began = context.engineContext().clock().now();
        LockEngine engine = context.engine();
        boolean handOver = !repeats && schedule.isHandOver(waiters.size() - 1);
        Attempt attempt = new Attempt(
                waiter,
                repeats,
                handOver ? engine.acquireInTurn(resource, waiter.terms()) : engine.acquire(resource, waiter.terms()));
        current = attempt;
        // A caller that cancels runs the actions of the future on its own thread, even if it was complete already.
        attempt.outcome()
                .whenCompleteAsync(
                        (outcome, bug) -> end(attempt, began, outcome, bug),
                        context.engineContext().loop());
        waiter.attemptStarted(attempt.outcome());
    }

    private void end(Attempt attempt, MonotonicTime began, Acquisition outcome, Throwable bug) {
        current = null;
        Waiter waiter = attempt.waiter();
        if (!waiters.contains(waiter)) {
            // The caller left. The engine deletes the values of its attempt, unless that was granted shortly before.
            takeBack(waiter, outcome);
            schedule.attemptAborted();
        } else if (bug != null) {
            waiter.fail(bug);
            remove(waiter, refusal.current());
            schedule.attemptAborted();
        } else if (outcome instanceof Acquisition.Acquired acquired) {
            grant(waiter, waiter.withWait(outcome, began, context.drift()), acquired.lease());
        } else if (outcome instanceof Acquisition.Replayed replayed) {
            grant(waiter, waiter.withWait(outcome, began, context.drift()), replayed.lease());
        } else {
            refuse(attempt, outcome);
        }
        endExpiredWaits();
    }

    private void grant(Waiter waiter, Acquisition outcome, Lease lease) {
        boolean again = outcome instanceof Acquisition.Replayed;
        boolean repeated = refusal.recordGrant(lease, waiter.terms().owner(), again);
        schedule.granted();
        boolean delivered = remove(waiter, outcome);
        schedule.grantDelivered(lease.token(), repeated, waiters.size());
        if (!delivered) {
            takeBack(waiter, outcome);
        }
        if (waiters.find(lease.token()).isPresent()) {
            attempt();
        }
    }

    /**
     * Releases a lease whose caller left (R11), unless the client chose the token: the lock may already belong to another
     * request of the same client.
     */
    private void takeBack(Waiter waiter, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired
                && waiter.terms().token().isEmpty()) {
            context.engine()
                    .release(resource, acquired.lease().token())
                    .thenAccept(released -> schedule.released(false));
        }
    }

    private void refuse(Attempt attempt, Acquisition outcome) {
        Waiter waiter = attempt.waiter();
        Duration expected = refusal.remaining();
        refusal.record(outcome);
        schedule.refused(outcome);
        boolean mayChange = outcome instanceof Held || outcome instanceof Acquisition.NoQuorum;
        if (waiter.isExpired() || !mayChange) {
            // The next attempt must not be for a waiter that has its outcome.
            remove(waiter, outcome);
        }
        if (waiters.isEmpty()) {
            return;
        }
        // After a wrong presumption the queue rests: two waiters with half of the votes each would alternate for ever.
        boolean holderWaits = refusal.holder()
                .flatMap(waiters::find)
                .filter(holder -> !attempt.repeats() || holder.mayHoldAlready())
                .isPresent();
        if (holderWaits) {
            attempt();
            return;
        }
        endExpiredWaits();
        if (current == null && !waiters.isEmpty()) {
            schedule.waitAfter(outcome, expected);
        }
    }

    /** Removes a waiter with its outcome, and returns whether the caller got it. */
    private boolean remove(Waiter waiter, Acquisition outcome) {
        waiters.remove(waiter);
        if (waiters.isEmpty()) {
            schedule.stop();
        }
        Duration waited = context.engineContext().clock().now().since(waiter.joined());
        Acquisition result = waiter.outcomeForCaller(outcome, waited);
        context.departures().left(this, result, waited);
        return waiter.complete(result);
    }
}
