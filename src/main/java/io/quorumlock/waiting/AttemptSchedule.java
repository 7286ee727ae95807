// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import java.time.Duration;

/**
 * The schedule of the attempts of one queue. After a refusal the queue sleeps until a majority is likely to be free:
 * after announcements of releases, or at the end of the remaining time in the refusals (R12).
 */
final class AttemptSchedule {
    private final Queue queue;
    private final ResourceName resource;
    private final ReleaseSignal signal;
    private final LastRefusal refusal;
    private final WakeUpTimer timer;
    private final ReleaseHints hints;
    private final HandOverBudget budget;
    private final Delays delays;
    private ReleaseSignal.Watch subscription;
    /** Whether announcements are ignored until the timer fires. */
    private boolean resting;

    /** The queue whose attempts are scheduled. */
    interface Queue {
        boolean isEmpty();

        boolean isAttempting();

        /** Starts an attempt, unless one is in progress or the queue is empty. */
        void attempt();
    }

    AttemptSchedule(Queue queue, ResourceName resource, WaitQueue.Context context, LastRefusal refusal) {
        EngineContext engineContext = context.engineContext();
        this.queue = queue;
        this.resource = resource;
        this.signal = context.signal();
        this.refusal = refusal;
        this.timer = new WakeUpTimer(engineContext, queue::attempt);
        this.hints = new ReleaseHints(context.quorum(), engineContext.clock());
        this.budget = new HandOverBudget(engineContext.random());
        this.delays = new Delays(engineContext.random());
    }

    /** Notes a new waiter whose token may already hold the lock, unknown to this replica. */
    void possibleHolderJoined() {
        if (refusal.mayBeOutdated() && !queue.isAttempting() && !resting) {
            timer.scheduleAtLatest(Delays.CHANGING_HANDS);
        }
    }

    /** Notes that this replica starts a release. Returns whether it hands the lock over to its first waiter. */
    boolean releaseStarted() {
        refusal.markStale();
        if (budget.isLastGrantHere()) {
            hints.expectOwn();
        }
        return budget.isLeft() && !queue.isEmpty();
    }

    /** Notes that a release by this replica had no effect. Later announcements are those of other releases. */
    void notReleased() {
        hints.expectNone();
    }

    /**
     * Notes that a release by this replica is retried in the background. The lock will soon be free, maybe unannounced.
     */
    void releaseUnconfirmed() {
        notReleased();
        refusal.markStale();
        if (queue.isAttempting()) {
            hints.addPassedOn();
        } else if (!queue.isEmpty()) {
            timer.scheduleAtLatest(delays.afterNoQuorum().next());
        }
    }

    /** Notes that this replica released the lock and hands it over to its first waiter. */
    void handedOver() {
        hints.addMajority();
        if (!resting) {
            queue.attempt();
        }
    }

    /**
     * Notes that the lock was released through this replica.
     *
     * @param contested whether clients wait for the lock at other replicas. Other replicas go first if the lock was
     *     granted here; otherwise the announcement determines which replica goes first
     */
    void released(boolean contested) {
        if (!contested) {
            handedOver();
        } else if (queue.isAttempting()) {
            // The attempt may be too early, and announcements of an own release are ignored.
            hints.addPassedOn();
        } else if (!queue.isEmpty()) {
            if (budget.isLastGrantHere()) {
                rest(budget.yieldDelay());
            } else {
                timer.scheduleAtLatest(Delays.AFTER_HAND_OVER);
            }
        }
    }

    /** Returns whether a lease that is granted now will be handed over to another waiter of this replica. */
    boolean isHandOver(int otherWaiters) {
        return budget.allowsHandOverAfterGrant(otherWaiters);
    }

    void attemptStarted() {
        resting = false;
        timer.cancel();
        hints.clear();
        refusal.attemptStarted();
    }

    /** Notes an attempt that ended without an outcome for the queue. */
    void attemptAborted() {
        rest(delays.afterSplit().next());
    }

    /** Schedules the next attempt for the end of the lease, unless it is released earlier. */
    void granted() {
        delays.reset();
        hints.clear();
        timer.schedule(delays.whileAnnounced(refusal.remaining()).plus(Delays.MILLISECOND));
    }

    /** @param waiters number of waiters after the one that got the lease */
    void grantDelivered(LeaseToken lease, boolean repeated, int waiters) {
        if (!repeated) {
            budget.won(lease, waiters);
        }
        if (waiters > 0) {
            subscribe();
        }
    }

    void refused(Acquisition outcome) {
        budget.refused(outcome);
    }

    /**
     * Schedules the next attempt after a failed one.
     *
     * @param expected the remaining time of the lock if it did not change hands since the last attempt
     */
    void waitAfter(Acquisition outcome, Duration expected) {
        if (outcome instanceof Held held) {
            delays.afterNoQuorum().reset();
            sleep(held, expected);
        } else if (outcome instanceof Acquisition.NoQuorum) {
            timer.schedule(delays.afterNoQuorum().next());
        } else {
            rest(delays.afterSplit().next());
        }
    }

    /** Stops waiting for releases, because the queue is empty. */
    void stop() {
        timer.cancel();
        if (subscription != null) {
            subscription.end();
            subscription = null;
        }
    }

    private void sleep(Held held, Duration expected) {
        if (held.split()) {
            rest(delays.afterSplit().next());
            return;
        }
        delays.afterSplit().reset();
        timer.schedule(delays.whileHeld(held, expected).plus(Delays.MILLISECOND));
        if (hints.isPassedOn()) {
            timer.scheduleAtLatest(Delays.AFTER_HAND_OVER);
        }
        subscribe();
        attemptOnHints();
    }

    /** Waits for a delay and ignores announcements meanwhile, so that other replicas can make an attempt. */
    private void rest(Duration delay) {
        if (!queue.isEmpty()) {
            resting = true;
            timer.schedule(delay);
        }
    }

    private void subscribe() {
        if (subscription == null) {
            subscription = signal.watch(resource, this::announced);
        }
    }

    private void announced(int node, boolean passedOn) {
        refusal.markStale();
        if (hints.isOwn(node)) {
            return;
        }
        if (!passedOn || budget.isLastGrantHere()) {
            hints.add(node);
            attemptOnHints();
        } else if (queue.isAttempting()) {
            hints.addPassedOn();
        } else if (!resting) {
            timer.schedule(Delays.AFTER_HAND_OVER);
        }
    }

    private void attemptOnHints() {
        if (resting || queue.isAttempting()) {
            return;
        }
        if (hints.isMajority()) {
            delays.afterFewHints().reset();
            Duration pause = budget.isLeft() ? Duration.ZERO : budget.delayBeforeContending();
            if (pause.isZero()) {
                queue.attempt();
            } else {
                rest(pause);
            }
        } else if (!hints.isEmpty()) {
            timer.scheduleAtLatest(
                    budget.isLastGrantHere()
                            ? Delays.AFTER_HAND_OVER
                            : delays.afterFewHints().next());
        }
    }
}
