// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Nodes whose clocks are read by hand, and an own clock that may stop. */
final class FakeClocks {
    private static final long WALL = 1_800_000_000_000L;
    private static final Duration WAY = Duration.ofMillis(1);

    final VirtualTime time = new VirtualTime();
    /** The time for which the own clock stood still. */
    Duration stopped = Duration.ZERO;
    /** The part of it that the kernel reports. */
    Optional<Duration> suspended = Optional.of(Duration.ZERO);
    /** By how much the own wall clock moved against the own monotonic clock. */
    Duration ownWall = Duration.ZERO;
    /** How often the kernel was asked. */
    int questions;

    final List<FakeClock> nodes;
    final ClockComparison comparison;

    FakeClocks(int size) {
        EngineContext virtual = time.engineContext(1);
        comparison = new ClockComparison(new EngineContext(
                time.suspendable(() -> {
                    questions++;
                    return suspended;
                }),
                virtual.wallClock(),
                virtual.scheduler(),
                virtual.loop(),
                virtual.random()));
        nodes = IntStream.range(0, size).mapToObj(i -> new FakeClock()).toList();
        comparison.watch(nodes);
    }

    void pause(Duration length) {
        stopped = stopped.plus(length);
    }

    /** Stops the own clock for a time that the kernel reports. The own wall clock is correct afterwards. */
    void suspend(Duration length) {
        pause(length);
        suspended = suspended.map(length::plus);
        ownWall = ownWall.plus(length);
    }

    void read(int... some) {
        IntStream.of(some).forEach(i -> nodes.get(i).read());
    }

    void readAll() {
        time.pass(Duration.ofMillis(500));
        nodes.forEach(FakeClock::read);
    }

    List<List<Boolean>> judgements() {
        return nodes.stream().map(node -> List.copyOf(node.judgements)).toList();
    }

    final class FakeClock implements ClockComparison.Clock {
        final List<Boolean> judgements = new ArrayList<>();
        Duration ahead = Duration.ZERO;
        /** How often a reading was requested. */
        int requests;

        Runnable onRequest = () -> {};
        private final NodeClock bounds = new NodeClock();

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

        /** Returns what the node's clock shows. */
        long micros() {
            return WALL * 1_000
                    + stopped.plus(ahead).plusNanos(time.now().nanos()).toNanos() / 1_000;
        }

        boolean receive(MonotonicTime sent, long micros) {
            MonotonicTime now = time.now();
            long wallMillis = WALL + ownWall.plus(Duration.ofNanos(now.nanos())).toMillis();
            bounds.read(sent, now, micros, wallMillis);
            return comparison.read(this, sent);
        }

        @Override
        public NodeClock bounds() {
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
