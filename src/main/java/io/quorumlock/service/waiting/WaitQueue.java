// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The waiters for one resource, in order of arrival. The first one makes an attempt when it arrives. All later attempts are
 * those of the queue, one at a time, usually for its first waiter: after a release, or when the holder's lease ends (R12). The
 * readers after one that got the lock make theirs together. A waiter whose token may hold it makes one when it comes and goes.
 */
final class WaitQueue implements ReleaseWatch.Queue, Waiter.Queue {
    private final ResourceName resource;
    private final QueueContext context;
    private final EngineContext engine;
    private final Turn turn;
    private final Delays delays;
    private final WakeUpTimer timer;
    private final Waiters waiters;
    private final ReleaseWatch releases;
    private final Set<Waiter> contenders = new HashSet<>();
    private QueueState state = QueueState.IDLE;
    /** Whether the attempt of the contenders began although other replicas could go first. */
    private boolean outOfTurn;
    /** Whether a release was announced during an attempt, whose votes may be from before it. */
    private boolean releasedMeanwhile;

    private Refusal refusal;

    WaitQueue(ResourceName resource, QueueContext context) {
        this.resource = resource;
        this.context = context;
        this.engine = context.engineContext();
        this.turn = new Turn(context.quorum(), engine.random());
        this.delays = new Delays(engine.random(), context.queues());
        this.timer = new WakeUpTimer(engine);
        this.waiters = new Waiters(context.places());
        this.releases = new ReleaseWatch(resource, context, turn, delays, timer, this);
        this.refusal = Refusal.unknown(resource, now());
    }

    int size() {
        return waiters.size();
    }

    /**
     * Adds a waiter. It makes an attempt of its own if it is the first one, or if its token holds the lock: it repeats an
     * acquire. So no newcomer overtakes those who wait.
     */
    void join(Waiter waiter) {
        boolean first = waiters.isEmpty();
        waiters.add(waiter, this);
        waiter.scheduleDeadline(engine.scheduler());
        if (first || refusal.holder().filter(waiter::hasToken).isPresent()) {
            attemptFor(waiter);
        } else {
            keepReservation();
        }
    }

    /** Adds a waiter from the queue of another one of its locks, whose attempt was refused because of this one. */
    void moveHere(Waiter waiter, Held held) {
        boolean first = waiters.isEmpty();
        waiters.add(waiter, this);
        if (first) {
            Held own = held.only(resource);
            refusal = new Refusal(own, now());
            sleep(() -> delays.whileHeld(own, own.remaining(), releases.isComplete()));
        } else {
            keepReservation();
        }
    }

    /** Removes a waiter whose wait ended: its caller disconnected, or its time is over. */
    @Override
    public void leave(Waiter waiter) {
        if (!waiter.hasLeft()) {
            remove(waiter, refusal.outcome(now()));
        }
    }

    void close() {
        for (Waiter waiter : waiters.all()) {
            if (waiter.isDecided()) {
                waiter.expireAfterAttempt();
            } else {
                remove(waiter, new Acquisition.ShuttingDown());
            }
        }
    }

    /** Ends a wait. A client that chose its token gets an answer to an attempt with it, because the token may hold the lock. */
    @Override
    public void expire(Waiter waiter) {
        if (waiter.mayHold() && !waiter.isAttempting()) {
            attemptFor(waiter);
        }
        if (waiter.isAttempting()) {
            waiter.expireAfterAttempt();
        } else {
            leave(waiter);
        }
    }

    @Override
    public void announced(boolean byMajority) {
        switch (state) {
            case IDLE, ATTEMPTING -> releasedMeanwhile |= byMajority;
            case SLEEPING -> {
                if (byMajority) {
                    contend();
                } else if (turn.isPartlyAnnounced()) {
                    timer.advance(Delays.AFTER_FEW_ANNOUNCEMENTS, this::attempt);
                }
            }
            case RESTING -> {} // The timer starts the next attempt.
        }
    }

    /** Makes an attempt for a released lock, at once if it is the turn of this replica. */
    private void contend() {
        Duration delay = turn.delay();
        if (delay.isZero()) {
            attempt();
        } else {
            timer.schedule(delay, () -> attempt(true));
        }
    }

    @Override
    public void attempt() {
        attempt(false);
    }

    private void attempt(boolean othersFirst) {
        state = QueueState.IDLE;
        waiters.firstIdle().ifPresent(waiter -> contendFor(List.of(waiter), othersFirst));
    }

    private void contendFor(List<Waiter> next, boolean othersFirst) {
        state = QueueState.ATTEMPTING;
        contenders.addAll(next);
        outOfTurn = othersFirst;
        releasedMeanwhile = false;
        timer.cancel();
        releases.attemptStarted();
        next.forEach(this::attemptFor);
    }

    private void attemptFor(Waiter waiter) {
        MonotonicTime began = now();
        CompletableFuture<Acquisition> attempt = waiter.attempt(context.engine(), delays.reservation());
        // A caller that cancels runs the actions of the future on its own thread, even if it was complete already.
        attempt.whenCompleteAsync((outcome, bug) -> end(waiter, began, outcome, bug), engine.loop());
    }

    private void end(Waiter waiter, MonotonicTime began, Acquisition outcome, Throwable bug) {
        waiter.attemptEnded(outcome);
        if (contenders.remove(waiter) && contenders.isEmpty()) {
            state = QueueState.IDLE;
            turn.attemptEnded(outOfTurn, outcome);
        }
        if (waiter.hasLeft()) {
            // The caller left. The engine deletes the values of its attempt, unless that was granted shortly before.
            waiter.takeBack(outcome, context.engine());
            restIfIdle();
        } else if (bug != null) {
            waiter.fail(bug);
            leave(waiter);
            restIfIdle();
        } else {
            outcome.granted()
                    .ifPresentOrElse(
                            lease -> grant(waiter, waiter.withWait(outcome, began, context.drift()), lease),
                            () -> refuse(waiter, outcome));
        }
    }

    private void grant(Waiter waiter, Acquisition outcome, Lease lease) {
        Duration remaining = outcome instanceof Acquisition.Replayed ? lease.validity() : lease.ttl();
        refusal = Refusal.by(resource, lease, remaining, waiter.terms(), now());
        turn.granted(lease.fence().number());
        delays.reset();
        if (!remove(waiter, outcome)) {
            waiter.takeBack(outcome, context.engine());
        }
        if (state != QueueState.ATTEMPTING
                && !share(waiters.equalTo(lease.token()))
                && !share(waiters.readersAfter(waiter))) {
            sleep(() -> delays.afterGrant(waiter.terms().kind(), remaining, releases.isComplete()));
        }
    }

    private void refuse(Waiter waiter, Acquisition outcome) {
        if (outcome instanceof Held other && !other.concerns(resource)) {
            refuseForOther(waiter, other);
            return;
        }
        Duration expected = refusal.remaining(now());
        boolean sameForAll = outcome instanceof Held || outcome instanceof Acquisition.NoQuorum;
        // What a waiter for several locks knows of the others is not for the waiters here.
        Acquisition own = outcome instanceof Held held ? held.only(resource) : outcome;
        refusal = sameForAll ? new Refusal(own, now()) : refusal;
        if (waiter.isExpired() || !sameForAll) {
            remove(waiter, outcome);
        }
        if (state != QueueState.IDLE) {
            return;
        }
        if (outcome instanceof Acquisition.NoQuorum) {
            sleep(delays::afterNoQuorum);
        } else if (own instanceof Held held && !held.split()) {
            delays.holderKnown();
            // Only after the first waiter's attempt: two waiters with half of the votes each would alternate for ever.
            Optional<LeaseToken> other = held.holder().filter(token -> !waiter.hasToken(token));
            if (!waiters.isFirst(waiter)
                    || other.filter(token -> share(waiters.equalTo(token))).isEmpty()) {
                sleep(() -> delays.whileHeld(held, expected, releases.isComplete()));
            }
        } else {
            restIfIdle();
        }
    }

    /** Moves a waiter to the queue of another one of its locks. The next waiter here may find this lock free. */
    private void refuseForOther(Waiter waiter, Held other) {
        if (waiter.isExpired()) {
            remove(waiter, other);
        } else {
            waiters.remove(waiter);
            endIfEmpty();
            context.departures().moved(resource, waiter, other);
        }
        if (state == QueueState.IDLE) {
            attempt();
        }
    }

    /** Makes attempts for waiters that may hold the lock together with its holder, if there are any. */
    private boolean share(List<Waiter> others) {
        if (!others.isEmpty()) {
            contendFor(others, false);
        }
        return !others.isEmpty();
    }

    /** @param longest the delay before the next attempt without an announcement, computed after the subscription */
    private void sleep(Supplier<Duration> longest) {
        if (waiters.isEmpty()) {
            return;
        }
        state = QueueState.SLEEPING;
        releases.begin();
        timer.schedule(longest.get(), this::attempt);
        keepReservation();
        boolean byMajority = releasedMeanwhile;
        releasedMeanwhile = false;
        announced(byMajority);
    }

    /** Lets the first waiter ask again in time if it keeps others out of locks. */
    private void keepReservation() {
        if (waiters.firstReserves()) {
            timer.advance(delays.whileReserved(), this::attempt);
        }
    }

    private void restIfIdle() {
        if (state == QueueState.IDLE && !waiters.isEmpty()) {
            state = QueueState.RESTING;
            timer.schedule(delays.afterSplit().next(), this::attempt);
        }
    }

    /** Removes a waiter with its outcome, and returns whether the caller got it. */
    private boolean remove(Waiter waiter, Acquisition outcome) {
        waiters.remove(waiter, outcome);
        endIfEmpty();
        Duration waited = now().since(waiter.joined());
        Acquisition result = waiter.outcomeForCaller(outcome, waited);
        context.departures().left(resource, result, waited);
        return waiter.complete(result);
    }

    private void endIfEmpty() {
        if (waiters.isEmpty()) {
            timer.cancel();
            releases.end();
        }
    }

    private MonotonicTime now() {
        return engine.clock().now();
    }
}
