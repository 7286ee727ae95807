// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.features.sessions.Sessions;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A process of the service, with the real engine, real links and its own clocks. It can crash, restart and pause. */
final class Replica {
    private static final WaitingLimits WITHOUT_END = new WaitingLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
    final int number;
    private final Cluster cluster;
    private final HostClock clock;
    private long wallOffsetMillis;
    private Duration ttlMax = Scale.TTL_MAX;
    private Backend backend;
    private WaitQueues waitQueues;
    private Sessions sessions;
    private int starts;
    private boolean up;
    private long pausedUntil;
    private long suspendedUntil;
    private long hinderedAt;
    private final HttpThread http;

    Replica(int number, Cluster cluster, HostClock clock, long wallOffsetMillis) {
        this.number = number;
        this.cluster = cluster;
        this.clock = clock;
        this.wallOffsetMillis = wallOffsetMillis;
        this.http = new HttpThread(cluster);
    }

    EventQueue events() {
        return cluster.events;
    }

    void log(Supplier<String> line) {
        cluster.log.add(line);
    }

    LockEngine engine() {
        return waitQueues;
    }

    Sessions sessions() {
        return sessions;
    }

    LockDirectory directory() {
        return backend.directory();
    }

    int waitersFor(ResourceName resource) {
        return up ? waitQueues.on(resource) : 0;
    }

    /** Returns whether nobody has the lock, and this replica can acquire it. */
    boolean findsFree(ResourceName resource) {
        return up && backend.findsFree(resource);
    }

    /** Returns its connections to masters. */
    RedlockBackend masters() {
        return (RedlockBackend) backend;
    }

    /** Returns its connection to the store. */
    StorePath store() {
        return ((ConsensusBackend) backend).path();
    }

    int waiters() {
        return waitQueues.all();
    }

    boolean isUp() {
        return up;
    }

    /** Returns when the replica was last down, paused or starting. */
    long hinderedAt() {
        return Math.max(hinderedAt, Math.min(pausedUntil, events().now()));
    }

    int cleanUpsPending() {
        return backend.cleanUpsPending();
    }

    HostClock clock() {
        return clock;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Starts the process again when its host is not suspended. */
    void startWhenHostRuns() {
        if (suspendedUntil > events().now()) {
            events().at(suspendedUntil, () -> {
                if (!up) {
                    start();
                }
            });
        } else {
            start();
        }
    }

    void startUnlessUp() {
        if (!up) {
            startWhenHostRuns();
        }
    }

    void start() {
        up = true;
        starts++;
        hinderedAt = events().now();
        EngineContext engineContext = engineContext(aliveAsNow());
        ttlMax = cluster.conditions.ttlMaxChanges() && cluster.random.onceIn(2) ? Scale.SHORTER_TTL_MAX : Scale.TTL_MAX;
        backend = cluster.store
                .<Backend>map(store -> new ConsensusBackend(this, store, engineContext))
                .orElseGet(() -> new RedlockBackend(this, engineContext));
        waitQueues = new WaitQueues(
                new ObservedEngine(backend.engine(), cluster.calls, events()),
                backend.quorum(),
                Scale.DRIFT.factor(),
                backend.signal(),
                WITHOUT_END,
                engineContext,
                new RestartCounter(cluster));
        sessions = new Sessions(waitQueues, Integer.MAX_VALUE, engineContext, why -> {});
        backend.open();
    }

    private EngineContext engineContext(BooleanSupplier alive) {
        return new EngineContext(
                clock, this::timeOfDay, this::later, task -> runOnLoop(alive, task), cluster.random.generator());
    }

    /** Returns the time of the wall clock, which continues during a suspension of the host. */
    private Instant timeOfDay() {
        return Instant.ofEpochMilli(Scale.EPOCH_MILLIS + wallOffsetMillis + events().now() / 1_000_000);
    }

    /** Ends the process. Its state is lost, but sent messages still arrive. */
    void crash() {
        up = false;
        hinderedAt = events().now();
        pausedUntil = 0;
        backend.crash();
    }

    void restart() {
        if (up) {
            crash();
        }
        startWhenHostRuns();
    }

    void pause(long until) {
        pausedUntil = Math.max(pausedUntil, until);
    }

    /** Returns whether its settings allow this TTL. */
    boolean allows(Duration ttl) {
        return ttl.compareTo(ttlMax) <= 0;
    }

    Duration ttlMax() {
        return ttlMax;
    }

    /** Returns when its host was last suspended. */
    long suspendedAt() {
        return Math.min(suspendedUntil, events().now());
    }

    /**
     * Suspends its host: nothing runs, and its monotonic clock stops. The wall clock of a paused virtual machine stops as well.
     */
    boolean suspend(long until, boolean known) {
        long now = events().now();
        if (!up || suspendedUntil > 0 && now - suspendedUntil < Scale.BETWEEN_SUSPENSIONS) {
            return false;
        }
        pause(until);
        suspendedUntil = until;
        double rate = clock.rate();
        clock.run(0);
        events().at(until, () -> {
            clock.run(rate);
            if (!known) {
                wallOffsetMillis -= (until - now) / 1_000_000;
            }
        });
        return true;
    }

    /** Closes all connections permanently. */
    void disconnect() {
        backend.close();
    }

    /** Runs a task unless the process crashes before, after a pause if there is one. */
    void run(Runnable task) {
        deliver(aliveAsNow(), task);
    }

    /** Runs a task as an HTTP thread does. The engine's event loop executes its tasks slightly later. */
    void runOutsideTheLoop(Runnable task) {
        http.run(task);
    }

    /** Runs a task on the engine's event loop, unless the process crashes before. */
    void runOnLoop(Runnable task) {
        runOnLoop(aliveAsNow(), task);
    }

    private void runOnLoop(BooleanSupplier alive, Runnable task) {
        http.handOver(() -> deliver(alive, task));
    }

    /** Runs a task unless the process crashes before, after a delay by its own clock. */
    Scheduler.Timer later(Duration delay, Runnable task) {
        BooleanSupplier alive = aliveAsNow();
        SimulatedTimer timer = new SimulatedTimer(events(), task);
        MonotonicTime due = clock.now().plus(delay);
        events().after(clock.inTrueTime(delay.toNanos()), () -> fireTimer(due, timer, alive));
        return timer;
    }

    /** Timers follow the clock of the process, which can stop. */
    private void fireTimer(MonotonicTime due, SimulatedTimer timer, BooleanSupplier alive) {
        long left = due.since(clock.now()).toNanos();
        if (left <= 0 || !alive.getAsBoolean()) {
            timer.markDue();
            deliver(alive, timer);
        } else if (suspendedUntil > events().now()) {
            events().at(suspendedUntil, () -> fireTimer(due, timer, alive));
        } else {
            events().after(clock.inTrueTime(left), () -> fireTimer(due, timer, alive));
        }
    }

    private void deliver(BooleanSupplier alive, Runnable task) {
        if (!alive.getAsBoolean()) {
            return;
        }
        if (pausedUntil > events().now()) {
            events().at(pausedUntil, () -> deliver(alive, task));
        } else {
            task.run();
        }
    }

    private BooleanSupplier aliveAsNow() {
        int present = starts;
        return () -> up && starts == present;
    }
}
