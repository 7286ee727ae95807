// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Masters whose clocks are read by hand, and an own clock that may stop. */
final class FakeClocks {
    private static final long WALL = 1_800_000_000_000L;
    private static final Duration WAY = Duration.ofMillis(1);

    final VirtualTime time = new VirtualTime();
    /** The time for which the own clock stood still. */
    Duration stopped = Duration.ZERO;

    final List<FakeClock> masters;
    final ClockComparison comparison;

    FakeClocks(int size) {
        comparison = new ClockComparison(time.engineContext(1));
        masters = IntStream.range(0, size).mapToObj(i -> new FakeClock()).toList();
        comparison.watch(masters);
    }

    void pause(Duration length) {
        stopped = stopped.plus(length);
    }

    void read(int... some) {
        IntStream.of(some).forEach(i -> masters.get(i).read());
    }

    void readAll() {
        time.pass(Duration.ofMillis(500));
        masters.forEach(FakeClock::read);
    }

    List<List<Boolean>> judgements() {
        return masters.stream().map(master -> List.copyOf(master.judgements)).toList();
    }

    final class FakeClock implements ClockComparison.Clock {
        final List<Boolean> judgements = new ArrayList<>();
        Duration ahead = Duration.ZERO;
        /** How often a reading was requested. */
        int requests;

        Runnable onRequest = () -> {};
        private final MasterClock bounds = new MasterClock();

        void read() {
            read(WAY, WAY);
        }

        void read(Duration there, Duration back) {
            Runnable reply = ask(there);
            time.pass(back);
            reply.run();
        }

        /** Sends a request that arrives after this time. Returns the receipt of the reply. */
        Runnable ask(Duration there) {
            MonotonicTime sent = time.now();
            time.pass(there);
            long micros = micros();
            return () -> receive(sent, micros);
        }

        /** Returns what the master's clock shows. */
        long micros() {
            return WALL * 1_000
                    + stopped.plus(ahead).plusNanos(time.now().nanos()).toNanos() / 1_000;
        }

        boolean receive(MonotonicTime sent, long micros) {
            bounds.read(sent, time.now(), micros);
            return comparison.read(this, sent);
        }

        @Override
        public MasterClock bounds() {
            return bounds;
        }

        @Override
        public void readClock() {
            requests++;
            onRequest.run();
        }

        @Override
        public void judged(boolean stepped) {
            judgements.add(stepped);
        }
    }
}
