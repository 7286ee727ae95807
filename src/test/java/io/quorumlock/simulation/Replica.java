// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.RestartGuard;
import io.quorumlock.redis.SimulatedFleet;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.QuorumDirectory;
import io.quorumlock.redlock.Redlock;
import io.quorumlock.redlock.RedlockSettings;
import io.quorumlock.session.Sessions;
import io.quorumlock.testing.EventLog;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A process of the service, with the real engine, real links and its own clocks. It can crash, restart and pause. */
final class Replica {
    private static final WaitingLimits WITHOUT_END = new WaitingLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
    final int number;
    private final World world;
    private final OwnClock clock;
    private long wallOffsetMillis;
    private List<Wire> wires = List.of();
    private SimulatedFleet fleet;
    private Duration ttlMax = Scale.TTL_MAX;
    private Redlock redlock;
    LossySignal signal;
    private WaitQueues room;
    private Sessions sessions;
    private QuorumDirectory directory;
    private int life;
    private boolean up;
    private long pausedUntil;
    private long suspendedUntil;
    private long hinderedAt;
    private final HttpThread http;

    Replica(int number, World world, OwnClock clock, long wallOffsetMillis) {
        this.number = number;
        this.world = world;
        this.clock = clock;
        this.wallOffsetMillis = wallOffsetMillis;
        this.http = new HttpThread(world);
    }

    Agenda agenda() {
        return world.agenda;
    }

    void log(Supplier<String> line) {
        world.story.log(line);
    }

    LockEngine engine() {
        return room;
    }

    Sessions sessions() {
        return sessions;
    }

    LockDirectory directory() {
        return directory;
    }

    int waitersFor(ResourceName resource) {
        return up ? room.on(resource) : 0;
    }

    boolean isConnectedTo(Master master) {
        return up && master.number < wires.size() && fleet.isUp(master.number);
    }

    /** Returns whether this replica would detect a step of the master's clock. */
    boolean watchesClockOf(Master master) {
        return up && fleet.hasReadClock(master.number);
    }

    int forcedCleanUpsPending() {
        return directory.cleanUpsPending();
    }

    int waiters() {
        return room.all();
    }

    boolean isUp() {
        return up;
    }

    /** Returns when the replica was last down, paused or starting. */
    long hinderedAt() {
        return Math.max(hinderedAt, Math.min(pausedUntil, agenda().now()));
    }

    int cleanUpsPending() {
        return redlock.cleanUpsPending();
    }

    OwnClock clock() {
        return clock;
    }

    World world() {
        return world;
    }

    List<Wire> wires() {
        return wires;
    }

    /** Starts the process again when its host is not suspended. */
    void startWhenHostRuns() {
        if (suspendedUntil > agenda().now()) {
            agenda().at(suspendedUntil, () -> {
                if (!up) {
                    start();
                }
            });
        } else {
            start();
        }
    }

    void start() {
        up = true;
        life++;
        hinderedAt = agenda().now();
        BooleanSupplier alive = aliveAsNow();
        signal = new LossySignal(this);
        wires = world.conditions.mastersOf(number, world).stream()
                .map(master -> new Wire(this, master, world.weather))
                .toList();
        EngineContext engineContext = engineContext(alive);
        ttlMax = world.conditions.ttlMaxChanges() && world.random.onceIn(2) ? Scale.SHORTER_TTL_MAX : Scale.TTL_MAX;
        RestartGuard guard = new RestartGuard(true, world.conditions.persists(), Scale.quarantine(ttlMax));
        fleet = new SimulatedFleet(
                wires, Scale.NODE_TIMEOUT, Scale.EXTENSIONS_MAX, guard, engineContext, new SilentEvents(world));
        List<? extends LockNode> nodes =
                fleet.nodes().stream().map(node -> new CountedNode(node, world)).toList();
        RedlockSettings rules =
                new RedlockSettings(Scale.DRIFT, Scale.EXTENSIONS_MAX, ttlMax, Scale.NODE_TIMEOUT, world.cleanUpsMax);
        redlock = new Redlock(nodes, rules, engineContext, new EventLog());
        directory = new QuorumDirectory(nodes, rules, engineContext, new EventLog());
        room = new WaitQueues(
                new ObservedEngine(redlock, world.history, agenda()),
                wires.size() / 2 + 1,
                Scale.DRIFT.factor(),
                signal,
                WITHOUT_END,
                engineContext,
                new SilentEvents(world));
        sessions = new Sessions(room, Integer.MAX_VALUE, engineContext, why -> {});
        fleet.open();
    }

    private EngineContext engineContext(BooleanSupplier alive) {
        return new EngineContext(
                clock, this::timeOfDay, this::later, task -> runOnLoop(alive, task), world.random.generator());
    }

    /** Returns the time of the wall clock, which continues during a suspension of the host. */
    private Instant timeOfDay() {
        return Instant.ofEpochMilli(Scale.EPOCH_MILLIS + wallOffsetMillis + agenda().now() / 1_000_000);
    }

    /** Ends the process. Its state is lost, but sent messages still arrive. */
    void crash() {
        up = false;
        hinderedAt = agenda().now();
        pausedUntil = 0;
        wires.forEach(Wire::close);
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
        return Math.min(suspendedUntil, agenda().now());
    }

    /**
     * Suspends its host: nothing runs, and its monotonic clock stops. The wall clock of a paused virtual machine stops as well.
     */
    boolean suspend(long until, boolean known) {
        long now = agenda().now();
        if (!up || suspendedUntil > 0 && now - suspendedUntil < Scale.BETWEEN_SUSPENSIONS) {
            return false;
        }
        pause(until);
        suspendedUntil = until;
        double rate = clock.rate();
        clock.run(0);
        agenda().at(until, () -> {
            clock.run(rate);
            if (!known) {
                wallOffsetMillis -= (until - now) / 1_000_000;
            }
        });
        return true;
    }

    /** Closes all connections permanently. */
    void disconnect() {
        fleet.close();
    }

    /** Runs a task in this life of the process, after a pause if there is one. */
    void run(Runnable task) {
        deliver(aliveAsNow(), task);
    }

    /** Runs a task as an HTTP thread does. The engine's event loop executes its tasks slightly later. */
    void runOutsideTheLoop(Runnable task) {
        http.run(task);
    }

    /** Runs a task on the engine's event loop, in this life of the process. */
    void runOnLoop(Runnable task) {
        runOnLoop(aliveAsNow(), task);
    }

    private void runOnLoop(BooleanSupplier alive, Runnable task) {
        http.handOver(() -> deliver(alive, task));
    }

    /** Runs a task in this life of the process, after a delay by its own clock. */
    Scheduler.Timer later(Duration delay, Runnable task) {
        BooleanSupplier alive = aliveAsNow();
        Appointment appointment = new Appointment(agenda(), task);
        MonotonicTime due = clock.now().plus(delay);
        agenda().after(clock.inTrueTime(delay.toNanos()), () -> fireTimer(due, appointment, alive));
        return appointment;
    }

    /** Timers follow the clock of the process, which can stop. */
    private void fireTimer(MonotonicTime due, Appointment appointment, BooleanSupplier alive) {
        long left = due.since(clock.now()).toNanos();
        if (left <= 0 || !alive.getAsBoolean()) {
            appointment.markDue();
            deliver(alive, appointment);
        } else if (suspendedUntil > agenda().now()) {
            agenda().at(suspendedUntil, () -> fireTimer(due, appointment, alive));
        } else {
            agenda().after(clock.inTrueTime(left), () -> fireTimer(due, appointment, alive));
        }
    }

    private void deliver(BooleanSupplier alive, Runnable task) {
        if (!alive.getAsBoolean()) {
            return;
        }
        if (pausedUntil > agenda().now()) {
            agenda().at(pausedUntil, () -> deliver(alive, task));
        } else {
            task.run();
        }
    }

    private BooleanSupplier aliveAsNow() {
        int thisLife = life;
        return () -> up && life == thisLife;
    }
}
