// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import java.util.BitSet;
import java.util.Optional;

/**
 * The announcements of releases to a queue. While a majority of the masters announced them without a gap since the last
 * attempt began, at least one of them announces every release, and the queue need not poll. After a gap of a majority, it makes
 * one attempt.
 */
final class ReleaseWatch implements ReleaseSignal.Listener {
    private final ResourceName resource;
    private final QueueContext context;
    private final Turn turn;
    private final Delays delays;
    private final WakeUpTimer timer;
    private final Queue queue;
    private final BitSet subscribed = new BitSet();
    /** The masters whose announcements have no gap since the last attempt began. */
    private final BitSet complete = new BitSet();

    private boolean attempted;
    private Optional<Runnable> subscription = Optional.empty();

    /** What a queue does if it is not attempting. */
    interface Queue {
        void announced(boolean byMajority);

        void attempt();
    }

    ReleaseWatch(
            ResourceName resource, QueueContext context, Turn turn, Delays delays, WakeUpTimer timer, Queue queue) {
        this.resource = resource;
        this.context = context;
        this.turn = turn;
        this.delays = delays;
        this.timer = timer;
        this.queue = queue;
    }

    void begin() {
        if (subscription.isEmpty()) {
            subscription = Optional.of(context.signal().watch(resource, this));
        }
    }

    void end() {
        subscription.ifPresent(Runnable::run);
        subscription = Optional.empty();
        subscribed.clear();
        complete.clear();
        attempted = false;
    }

    /** Returns whether no release since the last attempt began can be missed. */
    boolean isComplete() {
        return isMajority(complete);
    }

    /** Forgets the gaps and the announcements of single masters: the attempt asks all masters. */
    void attemptStarted() {
        attempted = true;
        complete.or(subscribed);
        turn.attemptStarted();
    }

    @Override
    public void released(int master, long fence, int replicas) {
        queue.announced(turn.released(master, fence, replicas));
    }

    @Override
    public void released(int master) {
        queue.announced(turn.released(master));
    }

    /** The first attempt after the subscription is made at once. Those of all queues after an interruption are spread. */
    @Override
    public void subscribed(int master, boolean missed) {
        boolean scheduled = isMajority(subscribed) && !isComplete();
        subscribed.set(master);
        complete.set(master, !missed);
        if (scheduled || isComplete() || !isMajority(subscribed)) {
            return;
        }
        if (attempted) {
            timer.advance(delays.afterGap(), queue::attempt);
        } else {
            queue.announced(true);
        }
    }

    @Override
    public void lost(int master) {
        boolean before = isComplete();
        subscribed.clear(master);
        complete.clear(master);
        if (before && !isComplete()) {
            timer.advance(delays.poll(false), queue::attempt);
        }
    }

    private boolean isMajority(BitSet masters) {
        return masters.cardinality() >= context.quorum();
    }
}
