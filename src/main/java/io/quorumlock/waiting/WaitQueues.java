package io.quorumlock.waiting;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets callers wait for a lock, first come first served: one queue for each resource, of which only the head contends, so that
 * contenders are replicas and not clients. Across replicas the order is one of chance.
 *
 * <p>May be called from any thread; all state lives on the loop of its surroundings, which must be the engine's.
 */
public final class WaitQueues implements LockEngine, WaiterCount {
    private final LockEngine engine;
    private final EngineContext engineContext;
    private final WaitingLimits limits;
    private final WaitListener events;
    private final QueueContext context;
    private final Map<ResourceName, WaitQueue> queues = new ConcurrentHashMap<>();
    private volatile int waiters;
    private boolean closed;

    /**
     * @param quorum how many nodes must be free for a majority
     * @param drift the part by which two clocks may disagree: who waited is told of no more than surely passed
     */
    public WaitQueues(
            LockEngine engine,
            int quorum,
            double drift,
            ReleaseSignal signal,
            WaitingLimits limits,
            EngineContext engineContext,
            WaitListener events) {
        this.engine = engine;
        this.engineContext = engineContext;
        this.limits = limits;
        this.events = events;
        this.context = new QueueContext(engine, quorum, drift, signal, engineContext, this::left);
    }

    /** Acquires, and waits for it as long as the terms say. */
    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        if (terms.patience().isZero()) {
            return engine.acquire(resource, terms);
        }
        return LoopCalls.run(engineContext.loop(), answer -> enter(resource, terms, answer));
    }

    private void enter(ResourceName resource, AcquireTerms terms, CompletableFuture<Acquisition> answer) {
        if (closed) {
            answer.complete(new Acquisition.ShuttingDown());
            return;
        }
        WaitQueue queue = queues.get(resource);
        boolean full = waiters >= limits.waiters() || queue != null && queue.size() >= limits.perResource();
        if (full) {
            events.rejected();
            answer.complete(new Acquisition.TooManyWaiters());
            return;
        }
        if (queue == null) {
            queue = new WaitQueue(resource, context);
            queues.put(resource, queue);
        }
        waiters++;
        Waiter waiter = new Waiter(terms, answer, engineContext.clock().now());
        whenGone(answer, waiter, queue);
        queue.join(waiter);
    }

    /** A caller that leaves cancels its future, on a thread of its own. */
    private void whenGone(CompletableFuture<Acquisition> answer, Waiter waiter, WaitQueue queue) {
        answer.whenComplete((outcome, failure) -> {
            if (answer.isCancelled()) {
                engineContext.loop().execute(() -> queue.leave(waiter));
            }
        });
    }

    /** Hears that a waiter is in its queue no longer. */
    private void left(WaitQueue queue, Acquisition outcome, Duration waited) {
        waiters--;
        if (queue.size() == 0) {
            queues.remove(queue.resource());
        }
        events.waited(outcome, waited);
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return engine.extend(resource, token, terms);
    }

    /** Releases, and wakes who waits here at once. A caller that hangs up cancels only its answer, never the release. */
    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        if (!queues.containsKey(resource)) {
            return wake(resource, engine.release(resource, token), false);
        }
        return LoopCalls.run(engineContext.loop(), answer -> {
            boolean passOn = isSomebodyNext(resource);
            CompletableFuture<Release> release =
                    passOn ? engine.passOn(resource, token) : engine.release(resource, token);
            LoopCalls.follow(wake(resource, release, passOn), answer);
        });
    }

    private boolean isSomebodyNext(ResourceName resource) {
        WaitQueue queue = queues.get(resource);
        return queue != null && queue.releasing();
    }

    /** Answers with a copy, which a caller may cancel without losing what follows from the release. */
    private CompletableFuture<Release> wake(
            ResourceName resource, CompletableFuture<Release> release, boolean passedOn) {
        release.thenAccept(outcome -> {
            WaitQueue queue = queues.get(resource);
            if (queue != null) {
                engineContext.loop().execute(() -> tell(queue, outcome, passedOn));
            }
        });
        return release.copy();
    }

    private static void tell(WaitQueue queue, Release outcome, boolean passedOn) {
        if (outcome instanceof Release.Unconfirmed) {
            queue.unconfirmed();
        } else if (!(outcome instanceof Release.Released released)) {
            queue.notReleased();
        } else if (passedOn) {
            queue.wake();
        } else {
            queue.freed(released.contested());
        }
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return engine.inspect(resource);
    }

    @Override
    public int all() {
        return waiters;
    }

    @Override
    public int on(ResourceName resource) {
        WaitQueue queue = queues.get(resource);
        return queue == null ? 0 : queue.size();
    }

    /** Answers everybody at once, and lets nobody in any more. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(
                () -> {
                    closed = true;
                    List.copyOf(queues.values()).forEach(WaitQueue::close);
                },
                engineContext.loop());
    }
}
