// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The watch of one master's wall clock (R9). A master whose clock moved for an unknown reason is suspected until the
 * comparison has explained it, and after a step until the master has confirmed its quarantine, also on a later
 * connection.
 */
final class MasterClockWatch implements ClockComparison.Clock {
    private final Runnable sendHeartbeat;
    private final Runnable clockStepped;
    private final LinkStatus status;
    private final LinkLog log;
    private final ClockComparison clocks;
    private final RestartGuard guard;
    private final EngineContext engineContext;
    private final MasterClock bounds = new MasterClock();
    /** The movement of the last reading that did not fit. */
    private Duration moved = Duration.ZERO;
    /** Whether the clock has stepped for certain, and the master has not yet confirmed its quarantine. */
    private boolean stepped;

    /**
     * @param sendHeartbeat requests a reading
     * @param clockStepped called when the clock has stepped for certain
     */
    MasterClockWatch(
            Runnable sendHeartbeat,
            Runnable clockStepped,
            LinkStatus status,
            LinkLog log,
            ClockComparison clocks,
            RestartGuard guard,
            EngineContext engineContext) {
        this.sendHeartbeat = sendHeartbeat;
        this.clockStepped = clockStepped;
        this.status = status;
        this.log = log;
        this.clocks = clocks;
        this.guard = guard;
        this.engineContext = engineContext;
    }

    /** Processes a reading, before the votes of the same batch are counted. */
    void read(MonotonicTime sent, MonotonicTime received, long micros) {
        Duration half = received.since(sent).dividedBy(2);
        status.clockRead(received, micros / 1_000, engineContext.wallClock().millis() - half.toMillis());
        bounds.read(sent, received, micros);
        if (!bounds.shift().fits()) {
            moved = Duration.ofNanos(bounds.shift().distance());
        }
        if (!clocks.read(this, sent) && guard.enabled()) {
            // Immediately, because the votes of the same batch must not count.
            status.quarantined(received.plus(guard.quarantine()), "its wall clock may have stepped");
        }
    }

    /** Returns the master's wall clock in milliseconds since 1970; empty if the last reading is too old. */
    OptionalLong wallClock() {
        return status.wallClock();
    }

    boolean isSuspected() {
        return stepped || clocks.isSuspect(this);
    }

    /** Returns whether the master must go into quarantine. */
    boolean isStepped() {
        return stepped;
    }

    /** Notes that the master confirmed its quarantine. */
    void confirmed() {
        stepped = false;
    }

    @Override
    public MasterClock bounds() {
        return bounds;
    }

    @Override
    public void readClock() {
        sendHeartbeat.run();
    }

    @Override
    public void judged(boolean isStep) {
        if (isStep) {
            log.clockStepped(moved);
            stepped = true;
            clockStepped.run();
        } else {
            log.ownClockStopped();
            sendHeartbeat.run();
        }
    }
}
