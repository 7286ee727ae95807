package io.quorumlock.redis;

import io.quorumlock.redis.SuspensionDetector.Step;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Five nodes whose clocks are read, and the suspensions that the kernel reports. */
abstract class SuspensionFixture {
    static final Duration PAUSE = Duration.ofSeconds(30);
    static final Duration SOON = Duration.ofSeconds(2);

    final VirtualTime time = new VirtualTime();
    Optional<Duration> suspended = Optional.empty();
    final SuspensionDetector detector = new SuspensionDetector(engineContext());
    final List<FakeClock> nodes =
            IntStream.range(0, 5).mapToObj(i -> new FakeClock()).toList();

    SuspensionFixture() {
        detector.watch(nodes);
    }

    void step(int node, Duration by, boolean alone) {
        step(node, by, Duration.ZERO, alone);
    }

    void step(int node, Duration by, Duration spread, boolean alone) {
        detector.stepped(nodes.get(node), new Step(by, spread, Duration.ofSeconds(1), alone));
    }

    void readTogether() {
        List<MonotonicTime> sent = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            time.pass(Duration.ofNanos(100_000));
            detector.beforeReading(nodes.get(i));
            sent.add(time.now());
        }
        time.pass(Duration.ofMillis(1));
        for (int i = 0; i < nodes.size(); i++) {
            detector.steady(nodes.get(i), sent.get(i), Duration.ZERO);
        }
    }

    /** Reads all clocks, without a step. */
    void read() {
        nodes.forEach(detector::beforeReading);
        nodes.forEach(node -> detector.steady(node, time.now(), Duration.ZERO));
    }

    void steady(int node) {
        detector.steady(nodes.get(node), time.now(), Duration.ZERO);
    }

    private EngineContext engineContext() {
        EngineContext virtual = time.engineContext(1);
        return new EngineContext(
                time.suspendable(() -> suspended),
                virtual.wallClock(),
                virtual.scheduler(),
                virtual.loop(),
                virtual.random());
    }

    static final class FakeClock implements SuspensionDetector.Clock {
        final List<Boolean> judgements = new ArrayList<>();
        int readings;

        @Override
        public void readClock() {
            readings++;
        }

        @Override
        public void judged(boolean stepped) {
            judgements.add(stepped);
        }
    }
}
