package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.redis.RedisFleet.FleetContext;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: heartbeats with round trips read the clocks of five masters, while the own clock may stop. */
class ClockReadingsTest {
    private static final LinkSettings SETTINGS =
            new LinkSettings(Duration.ofMillis(50), Duration.ofMillis(500), Optional.empty());

    private final VirtualTime time = new VirtualTime();
    /** The time for which the own clock stood still. */
    private Duration stopped = Duration.ZERO;
    /** Whether the kernel reports it. Then the own wall clock is correct afterwards. */
    private boolean reported = true;

    private final EngineContext context = engineContext();
    private final SuspensionDetector detector = new SuspensionDetector(context);
    private final List<Node> nodes =
            IntStream.range(0, 5).mapToObj(i -> new Node("node-" + i)).toList();

    ClockReadingsTest() {
        detector.watch(nodes.stream().map(node -> node.watch).toList());
    }

    /** S1: the master is set by 280 ms while the machine is suspended, and the first reply after it is late by 300 ms. */
    @Test
    void detectsStepDuringSuspensionInSlowReading() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        nodes.get(0).ahead = Duration.ofMillis(280);
        nodes.get(0).beat(Duration.ZERO, Duration.ofMillis(300));
        nodes.subList(1, 5).forEach(node -> node.beat(Duration.ZERO, Duration.ofMillis(1)));
        beatAll(60);
        nodes.subList(1, 5).forEach(node -> assertFalse(node.watch.isSuspected()));
        assertTrue(nodes.get(0).watch.isStepped(), "was set by 280 ms");
    }

    /** S1: a suspension that the round trip hides explains a real step minutes later. */
    @Test
    void detectsStepLongAfterHiddenSuspension() {
        nodes.get(0).way = Duration.ofMillis(30);
        beatAll(10);
        stopped = stopped.plusMillis(60);
        beatAll(300);
        nodes.forEach(node -> node.watch.confirmed());
        nodes.get(0).ahead = Duration.ofMillis(105);
        beatAll(10);
        assertTrue(nodes.get(0).watch.isStepped(), "a step of 105 ms, five minutes after a suspension of 60 ms");
    }

    /** L2: two masters are 120 ms away. The kernel reports the suspension exactly, or does not know of a pause of the machine. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptsStopOfOwnClockWithDistantNodes(boolean isReported) {
        reported = isReported;
        nodes.subList(3, 5).forEach(node -> node.way = Duration.ofMillis(60));
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        beatAll(10);
        nodes.forEach(node -> assertFalse(node.watch.isSuspected()));
    }

    /** L2: after the suspension, the network is back half a minute later, or more. All masters are healthy. */
    @Test
    void acceptsReportedSuspensionWithLateConnections() {
        for (int seconds : new int[] {30, 60, 120}) {
            beatAll(10);
            stopped = stopped.plusSeconds(300);
            time.pass(Duration.ofSeconds(seconds));
            beatAll(3);
            long stepped =
                    nodes.stream().filter(node -> node.watch.isSuspected()).count();
            assertEquals(0, stepped, "quarantined masters if the network is back after " + seconds + " s");
        }
    }

    /** S1: a real step of one node while two nodes return that show an earlier pause, of which no majority was seen. */
    @Test
    void detectsStepWhileNodesReturnWithEarlierPause() {
        reported = false;
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        beat(List.of(nodes.get(0), nodes.get(1)), 10);
        // Node 4 returns. Like the others it was quarantined for the pause, since there was no majority.
        beat(List.of(nodes.get(0), nodes.get(1), nodes.get(4)), 10);
        nodes.forEach(node -> node.watch.confirmed());
        nodes.get(4).ahead = Duration.ofSeconds(5);
        List.of(4, 2, 3, 0, 1).forEach(node -> nodes.get(node).beat());
        beatAll(3);
        assertTrue(nodes.get(4).watch.isStepped());
    }

    private void beatAll(int times) {
        beat(nodes, times);
    }

    private void beat(List<Node> some, int times) {
        for (int i = 0; i < times; i++) {
            time.pass(Duration.ofMillis(900));
            some.forEach(Node::beat);
        }
    }

    private EngineContext engineContext() {
        EngineContext virtual = time.engineContext(1);
        return new EngineContext(
                time.suspendable(() -> Optional.of(stopped).filter(known -> reported)),
                () -> reported
                        ? virtual.wallClock().instant().plus(stopped)
                        : virtual.wallClock().instant(),
                virtual.scheduler(),
                virtual.loop(),
                virtual.random());
    }

    private final class Node {
        private final NodeClockWatch watch;
        private Duration way = Duration.ofNanos(500_000);
        private Duration ahead = Duration.ZERO;

        private Node(String alias) {
            NodeLink link = new NodeLink(
                    alias,
                    new NodeAddress("redis://host"),
                    limit -> Promise.<NodeConnection>promise().future(),
                    SETTINGS,
                    context,
                    new FleetContext(
                            new ServerIdentities(),
                            new RestartGuard(true, 5, Duration.ofMinutes(1)),
                            new FleetHistory(5, context.random()),
                            detector,
                            new FleetBootstrap(5, time),
                            NodeClockWatchTest.NOBODY));
            watch = link.clockWatch();
        }

        private void beat() {
            beat(way, way);
        }

        private void beat(Duration there, Duration back) {
            watch.beforeReading();
            MonotonicTime sent = time.now();
            time.pass(there);
            long micros = time.wallClock().millis() * 1_000
                    + time.now().nanos() / 1_000 % 1_000
                    + stopped.plus(ahead).toNanos() / 1_000;
            time.pass(back);
            watch.read(sent, time.now(), micros);
        }
    }
}
