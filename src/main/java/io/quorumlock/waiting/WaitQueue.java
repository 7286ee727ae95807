package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The waiters for one resource, in order. The head tries; after a refusal the queue sleeps until a majority is likely to be
 * free: releases were announced, or the time is over that the refusals named (R12).
 */
final class WaitQueue {
    private final ResourceName resource;
    private final QueueContext context;
    private final WaitList waiters = new WaitList();
    private final WakeUpTimer alarm;
    private final ReleaseHints hints;
    private final OwnAnnouncements own;
    private final HandOverBudget turns;
    private final Delays delays;
    private final LastRefusal refusal;
    private final ReleaseSubscription releases;
    private QueueAttempt contention;
    private boolean resting;

    WaitQueue(ResourceName resource, QueueContext context) {
        this.resource = resource;
        this.context = context;
        EngineContext engineContext = context.engineContext();
        this.alarm = new WakeUpTimer(engineContext, this::contend);
        this.hints = new ReleaseHints(context.quorum());
        this.own = new OwnAnnouncements(engineContext.clock());
        this.turns = new HandOverBudget(engineContext.random());
        this.refusal = new LastRefusal(engineContext.clock());
        this.delays = new Delays(engineContext.random());
        this.releases = new ReleaseSubscription(context.signal(), resource, this::hear);
    }

    ResourceName resource() {
        return resource;
    }

    int size() {
        return waiters.size();
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
        waiter.setDeadline(
                context.engineContext().scheduler().after(waiter.terms().patience(), () -> expire(waiter)));
        if (waiters.size() == 1 || refusal.isHeldWith(waiter.terms().token())) {
            contend();
        } else if (waiter.terms().token().isPresent() && refusal.isStale() && contention == null && !resting) {
            alarm.notAfter(Delays.CHANGES_HANDS);
        }
    }

    /** Lets a caller go that hung up: what its attempt still wins is released by the engine (R11). */
    void leave(Waiter waiter) {
        if (waiters.contains(waiter)) {
            depart(waiter, refusal.now());
        }
    }

    /** Hears that a lease is being released here, and returns whether it goes to the head here, before others may contend. */
    boolean releasing() {
        refusal.doubt();
        if (turns.isHere()) {
            own.expect();
        }
        return turns.any() && !waiters.isEmpty();
    }

    /** Hears that a release here deleted nothing, or too little: what is announced from now on is news. */
    void notReleased() {
        own.forget();
    }

    /** Hears that a release here is being repeated: the lock will be free soon, and that may not be heard. */
    void unconfirmed() {
        notReleased();
        refusal.doubt();
        if (contention != null) {
            hints.passedOn();
        } else if (!waiters.isEmpty()) {
            alarm.notAfter(delays.afterNoQuorum().next());
        }
    }

    /** Hears that the head here may have the lock: it was released through this replica in its favour. */
    void wake() {
        hints.fromMajority();
        if (!resting) {
            contend();
        }
    }

    /**
     * Hears that the lock was released through this replica.
     *
     * @param contested whether others wait for it elsewhere: they go first if it was granted here; else the announcement tells
     *     who does
     */
    void freed(boolean contested) {
        if (!contested) {
            wake();
        } else if (contention == null && !waiters.isEmpty()) {
            if (turns.isHere()) {
                rest(turns.holdBack());
            } else {
                alarm.notAfter(Delays.NOW_AND_THEN);
            }
        }
    }

    void close() {
        for (Waiter waiter : waiters.copy()) {
            depart(waiter, new Acquisition.ShuttingDown());
        }
        if (contention != null) {
            contention.attempt().cancel(false);
        }
    }

    /** A waiter whose token may hold the lock, as nobody here knows who does, is not refused before it was looked at. */
    private void expire(Waiter waiter) {
        if (contention == null && waiters.contains(waiter) && waiter.mayRepeat() && refusal.isStale()) {
            contendFor(waiter, true);
        }
        if (contention != null && waiter == contention.waiter()) {
            waiter.becomeLate();
        } else if (waiters.contains(waiter)) {
            depart(waiter, refusal.now());
        }
    }

    /** Tries for the head, or for a waiter whose token holds the lock already: a repeated acquire gets its lease. */
    private void contend() {
        if (contention == null && !waiters.isEmpty()) {
            Optional<Waiter> holder = refusal.holder().flatMap(waiters::find);
            contendFor(holder.orElseGet(waiters::head), holder.isPresent());
        }
    }

    private void contendFor(Waiter head, boolean repeats) {
        resting = false;
        alarm.off();
        hints.clear();
        refusal.look();
        MonotonicTime began = context.engineContext().clock().now();
        LockEngine engine = context.engine();
        boolean inTurn = !repeats && turns.wouldGoOn(waiters.size() - 1);
        contention = new QueueAttempt(
                head, inTurn ? engine.acquireInTurn(resource, head.terms()) : engine.acquire(resource, head.terms()));
        contention.whenEnded(context.engineContext().loop(), (outcome, bug) -> {
            contention = null;
            settle(head, began, outcome, bug);
        });
    }

    private void settle(Waiter head, MonotonicTime began, Acquisition outcome, Throwable bug) {
        if (!waiters.contains(head)) {
            // It left; what its attempt wrote is being deleted.
            rest(delays.afterSplit().next());
        } else if (bug != null) {
            head.fail(bug);
            depart(head, refusal.now());
            rest(delays.afterSplit().next());
        } else if (outcome instanceof Acquisition.Acquired acquired) {
            serve(head, head.served(outcome, began, context.drift()), acquired.lease());
        } else if (outcome instanceof Acquisition.Replayed replayed) {
            serve(head, head.served(outcome, began, context.drift()), replayed.lease());
        } else {
            refuse(head, outcome);
        }
    }

    /** The next one knows how long it has to sleep, if nobody releases before. */
    private void serve(Waiter head, Acquisition outcome, Lease lease) {
        delays.reset();
        hints.clear();
        boolean repeated = refusal.noteGrant(lease, head.terms().owner());
        alarm.in(delays.polls().whileAnnounced(refusal.left()).plus(Delays.MILLISECOND));
        boolean taken = depart(head, outcome);
        if (!repeated) {
            turns.won(lease.token(), waiters.size());
        }
        if (!waiters.isEmpty()) {
            releases.listen();
        }
        if (!taken
                && outcome instanceof Acquisition.Acquired
                && head.terms().token().isEmpty()) {
            // A token of the caller's own choice may hold the lock by another request of its by now.
            context.engine().release(resource, lease.token()).thenAccept(released -> freed(false));
        } else if (waiters.find(lease.token()).isPresent()) {
            contend();
        }
    }

    private void refuse(Waiter head, Acquisition outcome) {
        Duration expected = refusal.left();
        refusal.note(outcome);
        turns.refused(outcome);
        boolean mayChange = outcome instanceof Held || outcome instanceof Acquisition.NoQuorum;
        if (head.isLate() || !mayChange) {
            // Before anything else is tried: the next attempt must not be for somebody who has its answer.
            depart(head, outcome);
        }
        if (waiters.isEmpty()) {
            return;
        }
        if (refusal.holder().flatMap(waiters::find).isPresent()) {
            contend();
        } else if (outcome instanceof Held held) {
            delays.afterNoQuorum().reset();
            sleep(held, expected);
        } else if (mayChange) {
            alarm.in(delays.afterNoQuorum().next());
        } else {
            rest(delays.afterSplit().next());
        }
    }

    private void sleep(Held held, Duration expected) {
        if (held.split()) {
            rest(delays.afterSplit().next());
            return;
        }
        delays.afterSplit().reset();
        alarm.in(delays.polls().whileHeld(held, expected).plus(Delays.MILLISECOND));
        if (hints.werePassedOn()) {
            alarm.notAfter(Delays.NOW_AND_THEN);
        }
        releases.listen();
        tryOnHints();
    }

    /** Lets others try first, or chance decide who does, whatever is announced meanwhile. */
    private void rest(Duration delay) {
        if (!waiters.isEmpty()) {
            resting = true;
            alarm.in(delay);
        }
    }

    private void hear(int node, boolean passedOn) {
        refusal.doubt();
        if (own.take(node)) {
            return;
        }
        if (!passedOn || turns.isHere()) {
            hints.from(node);
            tryOnHints();
        } else if (contention != null) {
            hints.passedOn();
        } else if (!resting) {
            alarm.in(Delays.NOW_AND_THEN);
        }
    }

    private void tryOnHints() {
        if (resting || contention != null) {
            return;
        }
        if (hints.suffice()) {
            delays.afterFewHints().reset();
            Duration pause = turns.any() ? Duration.ZERO : turns.courtesy();
            if (pause.isZero()) {
                contend();
            } else {
                rest(pause);
            }
        } else if (hints.any()) {
            alarm.notAfter(
                    turns.isHere()
                            ? Delays.NOW_AND_THEN
                            : delays.afterFewHints().next());
        }
    }

    /** Takes a waiter out of the queue with its answer, and says whether it heard it. */
    private boolean depart(Waiter waiter, Acquisition outcome) {
        waiters.remove(waiter);
        if (waiters.isEmpty()) {
            alarm.off();
            releases.end();
        }
        Duration waited = context.engineContext().clock().now().since(waiter.joined());
        Acquisition told = waiter.told(outcome, waited);
        context.departures().left(this, told, waited);
        return waiter.answer(told);
    }
}
