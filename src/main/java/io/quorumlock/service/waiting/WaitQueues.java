// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.LoopCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The wait queues of this replica, one for each resource, served in order of arrival. The first waiter of a
 * queue contends, and others that can hold the lock beside it: contenders are replicas and not clients. Replicas take turns.
 *
 * <p>Thread-safe. All state is confined to the event loop, which must be the engine's.
 */
public final class WaitQueues implements LockEngine, WaiterCount {
    private final LockEngine engine;
    private final EngineContext engineContext;
    private final WaitingLimits limits;
    private final WaitListener listener;
    private final QueueContext context;
    private final Places places;
    private final Map<ResourceName, WaitQueue> queues = new ConcurrentHashMap<>();
    private volatile int waiters;
    private boolean closed;

    /**
     * @param quorum from how many sources a release must be announced to be believed
     * @param drift the relative difference of two clocks, subtracted from waiting times
     */
    public WaitQueues(
            LockEngine engine,
            int quorum,
            double drift,
            ReleaseSignal signal,
            WaitingLimits limits,
            EngineContext engineContext,
            WaitListener listener) {
        this.engine = engine;
        this.engineContext = engineContext;
        this.limits = limits;
        this.listener = listener;
        this.places = new Places(engineContext.clock());
        this.context =
                new QueueContext(engine, quorum, drift, signal, engineContext, new Moves(), places, queues::size);
    }

    /** Acquires the lock, and waits for it up to the patience of the terms. */
    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        CompletableFuture<Acquisition> outcome = terms.patience().isZero()
                ? engine.acquire(resources, terms)
                : LoopCalls.run(engineContext.loop(), answer -> enqueue(resources, terms, answer));
        outcome.thenAccept(end -> listener.acquired(terms.kind().type(), end));
        return outcome;
    }

    private void enqueue(ResourceNames resources, AcquireTerms terms, CompletableFuture<Acquisition> answer) {
        if (closed) {
            answer.complete(new Acquisition.ShuttingDown());
            return;
        }
        WaitQueue queue = queues.get(last(resources));
        boolean full = waiters >= limits.waiters() || queue != null && queue.size() >= limits.perResource();
        if (full) {
            listener.rejected();
            answer.complete(new Acquisition.TooManyWaiters());
            return;
        }
        waiters++;
        Waiter.Place place = places.take(resources, terms.token());
        Waiter waiter =
                new Waiter(resources, terms, answer, engineContext.clock().now(), place);
        leaveOnCancel(answer, waiter);
        queueOf(last(resources)).join(waiter);
    }

    /**
     * Returns the name in whose queue a client waits for several locks. A release wakes the queues in the order of the names, so
     * that clients that wait for one of the locks go first.
     */
    private static ResourceName last(ResourceNames resources) {
        return resources.list().get(resources.count() - 1);
    }

    private WaitQueue queueOf(ResourceName resource) {
        return queues.computeIfAbsent(resource, name -> new WaitQueue(name, context));
    }

    /** Removes the waiter on cancel, on the event loop: the caller cancels its future on its own thread. */
    private void leaveOnCancel(CompletableFuture<Acquisition> answer, Waiter waiter) {
        answer.whenComplete((outcome, failure) -> {
            if (answer.isCancelled()) {
                engineContext.loop().execute(() -> waiter.queue().leave(waiter));
            }
        });
    }

    private final class Moves implements QueueContext.Departures {
        @Override
        public void left(ResourceName resource, Acquisition outcome, Duration waited) {
            waiters--;
            removeIfEmpty(resource);
            listener.waited(outcome, waited);
        }

        @Override
        public void moved(ResourceName resource, Waiter waiter, Acquisition.Held held) {
            removeIfEmpty(resource);
            queueOf(held.taken().get(held.taken().size() - 1).resource()).moveHere(waiter, held);
        }

        private void removeIfEmpty(ResourceName resource) {
            if (on(resource) == 0) {
                queues.remove(resource);
            }
        }
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return engine.extend(resources, token, ttl);
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return engine.release(resources, token, keep);
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

    /** Completes all waits, and rejects new ones. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(
                () -> {
                    closed = true;
                    List.copyOf(queues.values()).forEach(WaitQueue::close);
                },
                engineContext.loop());
    }

    /**
     * The limits of waiting acquires (R14).
     *
     * @param waiters maximum number on this replica
     * @param perResource maximum number for one resource
     */
    public record WaitingLimits(int waiters, int perResource) {}

    /** A listener for acquires and their waits, for metrics. */
    public interface WaitListener {

        /** Called once for each acquire, with or without a wait, unless its caller left. */
        void acquired(LockKind.Type kind, Acquisition outcome);

        /** Called at the end of a wait. */
        void waited(Acquisition outcome, Duration elapsed);

        /** Called when an acquire was rejected because the queue is full. */
        void rejected();
    }
}
