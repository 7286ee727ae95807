// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Five masters whose clocks are read with round trips, while the own clock may stop. */
abstract class ClockFixture {
    final VirtualTime time = new VirtualTime();
    /** The time for which the own clock stood still. */
    Duration stopped = Duration.ZERO;
    /** The difference between the rates of the masters' clocks and the own one. */
    int gainPpm;

    private final EngineContext context = time.engineContext(1);
    private final ClockComparison comparison = new ClockComparison(context);
    final List<Master> masters =
            IntStream.range(0, 5).mapToObj(i -> new Master("node-" + i)).toList();

    ClockFixture() {
        comparison.watch(masters.stream().map(master -> master.watch).toList());
    }

    final List<Boolean> suspected() {
        return masters.stream().map(master -> master.watch.isSuspected()).toList();
    }

    final void beatAll(int times) {
        beat(masters, times);
    }

    final void beat(List<Master> some, int times) {
        for (int i = 0; i < times; i++) {
            time.pass(Duration.ofMillis(900));
            some.forEach(Master::beat);
        }
    }

    final class Master {
        final MasterClockWatch watch;
        Duration way = Duration.ofNanos(500_000);
        Duration ahead = Duration.ZERO;

        private Master(String alias) {
            MasterAddress address = new MasterAddress("redis://host");
            watch = new MasterClockWatch(
                    () -> {},
                    () -> {},
                    new LinkStatus(alias, address, time, () -> {}),
                    new LinkLog(alias, address),
                    comparison,
                    new RestartGuard(true, false, Duration.ofMinutes(1), false),
                    context);
        }

        void beat() {
            beat(way, way);
        }

        /** Sends a request that the master answers now. Returns the receipt of the reply. */
        Runnable ask() {
            MonotonicTime sent = time.now();
            long micros = time.wallClock().millis() * 1_000
                    + time.now().nanos() / 1_000 % 1_000
                    + stopped.plus(ahead).toNanos() / 1_000;
            return () -> watch.read(sent, time.now(), micros);
        }

        void beat(Duration there, Duration back) {
            MonotonicTime sent = time.now();
            time.pass(there);
            long micros = time.wallClock().millis() * 1_000
                    + time.now().nanos() / 1_000 % 1_000
                    + time.now().nanos() / 1_000_000_000L * gainPpm
                    + time.now().nanos() % 1_000_000_000L * gainPpm / 1_000_000_000L
                    + stopped.plus(ahead).toNanos() / 1_000;
            time.pass(back);
            watch.read(sent, time.now(), micros);
        }
    }
}
