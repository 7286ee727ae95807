// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R9: suspicion of masters whose clock stepped, until they confirm their quarantine. */
class MasterClockWatchTest {
    private static final RestartGuard GUARD = new RestartGuard(true, false, Duration.ofMinutes(1), false);

    private final VirtualTime time = new VirtualTime();
    private final EngineContext engineContext = time.engineContext(1);
    private final ClockComparison clocks = new ClockComparison(engineContext);
    private final MasterAddress address = new MasterAddress("redis://host");
    private final LinkStatus status = new LinkStatus("node-1", address, time, () -> {});
    private final MasterClockWatch watch = new MasterClockWatch(
            () -> {}, () -> {}, status, new LinkLog("node-1", address), clocks, GUARD, engineContext);

    @BeforeEach
    void readTheClock() {
        clocks.watch(List.of(watch));
        readAhead(Duration.ZERO);
    }

    /** Half of the round trip is the time from the reading to its arrival. */
    @Test
    void offsetLacksHalfOfRoundTrip() {
        MonotonicTime sent = time.now();
        time.pass(Duration.ofMillis(100));
        long micros = time.wallClock().millis() * 1_000;
        time.pass(Duration.ofMillis(100));
        watch.read(sent, time.now(), micros);
        assertEquals(Optional.of(Duration.ZERO), status.get().clockOffset());
    }

    @Test
    void suspectsSteppedMasterAtOnce() {
        readAhead(Duration.ofHours(1));
        assertTrue(watch.isSuspected());
        assertEquals(Optional.of(ServerFailure.QUARANTINED), status.get().problem());
        readAhead(Duration.ofHours(1));
        assertTrue(watch.isStepped());
        watch.confirmed();
        assertFalse(watch.isSuspected());
    }

    @Test
    void endsSuspicionWhenOwnClockStopped() {
        watch.judged(false);
        assertFalse(watch.isSuspected());
    }

    /** The master could not write its quarantine before the machine of the replica was suspended. */
    @Test
    void keepsUnconfirmedSuspicionThroughLaterPause() {
        readAhead(Duration.ofHours(1));
        readAhead(Duration.ofHours(1));
        watch.judged(false);
        assertTrue(watch.isSuspected());
        assertTrue(watch.isStepped());
    }

    private void readAhead(Duration ahead) {
        time.pass(Duration.ofMillis(500));
        long micros = (engineContext.wallClock().millis() + ahead.toMillis()) * 1_000;
        watch.read(time.now(), time.now(), micros);
    }
}
