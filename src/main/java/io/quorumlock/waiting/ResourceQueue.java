package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Is who waits for one resource, in order. The head tries; when it is refused, the queue sleeps until there is reason to
 * believe that a majority is free: releases were announced, or the time is over that the refusals named (R12).
 */
final class ResourceQueue {
    private final ResourceName resource;
    private final Workshop workshop;
    private final WaitList waiters = new WaitList();
    private final Alarm alarm;
    private final Hints hints;
    private final OwnAnnouncements own;
    private final Turns turns;
    private final Delays delays;
    private final Refusal refusal;
    private final ReleaseSubscription releases;
    private CompletableFuture<Acquisition> attempt;
    private Waiter contender;
    private Moment began;
    private boolean resting;

    ResourceQueue(ResourceName resource, Workshop workshop) {
        this.resource = resource;
        this.workshop = workshop;
        Surroundings surroundings = workshop.surroundings();
        this.alarm = new Alarm(surroundings, this::contend);
        this.hints = new Hints(workshop.quorum());
        this.own = new OwnAnnouncements(surroundings.clock());
        this.turns = new Turns(surroundings.chance());
        this.refusal = new Refusal(surroundings.clock());
        this.delays = new Delays(surroundings.chance());
        this.releases = new ReleaseSubscription(workshop.signal(), resource, this::hear);
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
                workshop.surroundings().scheduler().after(waiter.terms().patience(), () -> expire(waiter)));
        if (waiters.size() == 1 || refusal.isHeldWith(waiter.terms().token())) {
            contend();
        } else if (waiter.terms().token().isPresent() && refusal.isStale() && attempt == null && !resting) {
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
        if (attempt != null) {
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
        } else if (attempt == null && !waiters.isEmpty()) {
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
        if (attempt != null) {
            attempt.cancel(false);
        }
    }

    private void expire(Waiter waiter) {
        if (waiter == contender) {
            waiter.becomeLate();
        } else if (waiters.contains(waiter)) {
            depart(waiter, refusal.now());
        }
    }

    /** Tries for the head, or for a waiter whose token holds the lock already: a repeated acquire gets its lease. */
    private void contend() {
        if (attempt != null || waiters.isEmpty()) {
            return;
        }
        resting = false;
        alarm.off();
        hints.clear();
        Optional<Waiter> holder = refusal.holder().flatMap(waiters::find);
        Waiter head = holder.orElseGet(waiters::head);
        contender = head;
        began = workshop.surroundings().clock().now();
        LockEngine engine = workshop.engine();
        attempt = holder.isEmpty() && turns.wouldGoOn(waiters.size() - 1)
                ? engine.acquireInTurn(resource, head.terms())
                : engine.acquire(resource, head.terms());
        CompletableFuture<Acquisition> current = attempt;
        current.whenComplete((outcome, bug) -> {
            if (current.isCancelled()) {
                // By the caller who left, on a thread of its own.
                workshop.surroundings().loop().execute(() -> ended(head, outcome, bug));
            } else {
                ended(head, outcome, bug);
            }
        });
        head.tries(current);
    }

    private void ended(Waiter head, Acquisition outcome, Throwable bug) {
        attempt = null;
        contender = null;
        settle(head, outcome, bug);
    }

    private void settle(Waiter head, Acquisition outcome, Throwable bug) {
        if (!waiters.contains(head)) {
            // It left; what its attempt wrote is being deleted.
            rest(delays.afterSplit().next());
        } else if (bug != null) {
            head.fail(bug);
            depart(head, refusal.now());
            rest(delays.afterSplit().next());
        } else if (outcome instanceof Acquisition.Acquired acquired) {
            Lease told = head.waitedFor(acquired.lease(), began, workshop.drift());
            serve(head, new Acquisition.Acquired(told), acquired.lease());
        } else if (outcome instanceof Acquisition.Replayed replayed) {
            Lease told = head.waitedFor(replayed.lease(), began, workshop.drift());
            serve(head, new Acquisition.Replayed(told), replayed.lease());
        } else {
            refuse(head, outcome);
        }
    }

    /** The next one knows how long it has to sleep, if nobody releases before. */
    private void serve(Waiter head, Acquisition outcome, Lease lease) {
        delays.reset();
        hints.clear();
        boolean repeated = refusal.holder().equals(Optional.of(lease.token()));
        Duration left = repeated ? lease.validity() : lease.ttl();
        refusal.note(new Held(left, head.terms().owner(), Optional.of(lease.token()), false, Duration.ZERO));
        alarm.in(delays.polls().whileAnnounced(left).plus(Delays.MILLISECOND));
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
            workshop.engine().release(resource, lease.token()).thenAccept(released -> freed(false));
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
        } else if (attempt != null) {
            hints.passedOn();
        } else if (!resting) {
            alarm.in(Delays.NOW_AND_THEN);
        }
    }

    private void tryOnHints() {
        if (resting || attempt != null) {
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
        Duration waited = workshop.surroundings().clock().now().since(waiter.joined());
        Acquisition told = waiter.told(outcome, waited);
        workshop.departures().left(this, told, waited);
        return waiter.answer(told);
    }
}
