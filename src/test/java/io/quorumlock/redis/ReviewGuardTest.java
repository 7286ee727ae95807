package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Review: the age of a node and its witness. */
class ReviewGuardTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final ResourceName RESOURCE = new ResourceName("guarded");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");

    private List<RedisServer> servers = List.of();
    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @AfterEach
    void stop() {
        RedisServers.close(servers);
    }

    /** "A copy that is older than the last check is recognised by any replica": one replica checks once a second. */
    @Test
    void recognisesACopyThatIsOlderThanTheLastCheck() {
        GuardScript node = new GuardScript(() -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
        long remembered = age(ask(node, "found", "", 0));
        millis += 1_000;
        remembered = Math.max(remembered, age(ask(node, "check", "a", remembered)));
        int missed = 0;
        for (int second = 0; second < 6; second++) {
            millis += 100;
            Runnable copy = node.snapshot();
            millis += 900;
            remembered = Math.max(remembered, age(ask(node, "check", "a", remembered)));
            Runnable goOn = node.snapshot();
            millis += 800;
            copy.run();
            // Another process: the copy is 1.7 s old, and there was a check in between.
            Response answer = ask(node, "ask", "a", remembered, "run-2");
            missed += answer.get(1).toLong() == 0 ? 1 : 0;
            goOn.run();
            millis -= 800;
        }
        assertEquals(0, missed, "of 6 copies that are older than the last check");
    }

    /** The same on real Redis: how long an age stands with one replica. */
    @Test
    void raisesTheAgeWithEachCheck() throws InterruptedException {
        servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");
        URI[] urls = servers.stream().map(RedisServer::url).toArray(URI[]::new);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls)) {
            Eventually.within(SOON, "all vote", () -> fleet.fleet.up() == 3);
            java.util.TreeSet<Long> ages = new java.util.TreeSet<>();
            for (int i = 0; i < 100; i++) {
                ages.add(Long.parseLong(servers.get(0).cli("HGET", "quorumlock:marker/", "age")));
                Thread.sleep(100);
            }
            long longest = 0;
            long last = ages.first();
            for (long age : ages) {
                longest = Math.max(longest, age - last);
                last = age;
            }
            System.out.println("ages " + ages);
            assertTrue(longest < 1_500, "an age stood for " + longest + " ms");
        }
    }

    /** Commands of a transaction are refused one by one; votes are SET and GETSET, the age is HSET. */
    @ParameterizedTest
    @ValueSource(strings = {"-hset", "-set", "~quorumlock:*"})
    void quarantinesNodesThatLeftVotesOutWhenTheyLoadedTheirLog(String limit) {
        String rights = switch (limit) {
            case "~quorumlock:*" -> "~quorumlock:* &* +@all";
            default -> "~* &* +@all " + limit;
        };
        String[] options = ("--appendonly yes --appendfsync always --user service on nopass ~* &* +@all"
                        + " --user default on nopass " + rights)
                .split(" ");
        servers = RedisServers.start(3, options);
        URI[] urls = servers.stream()
                .map(server -> URI.create("redis://service:any@" + server.url().getAuthority()))
                .toArray(URI[]::new);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls)) {
            assertEquals(3, fleet.fleet.up());
            // A few checks, so that the witness is written.
            long begin = System.nanoTime();
            Eventually.within(SOON, "checks", () -> System.nanoTime() - begin > 4_500_000_000L);
            for (int i = 0; i < 3; i++) {
                int node = i;
                assertInstanceOf(NodeReply.Granted.class, ask(fleet, node, Ask.acquire(RESOURCE, TOKEN, "a1", LONG, Optional.empty())));
            }
            long then = System.nanoTime();
            Eventually.within(SOON, "checks", () -> System.nanoTime() - then > 2_500_000_000L);
        }
        servers.get(0).restart();
        try (RealFleet fleet = RealFleet.guarded(LONG, urls)) {
            boolean votes = fleet.fleet.nodes().get(0).quarantine().isEmpty();
            NodeReply reply = ask(fleet, 0, Ask.inspect(RESOURCE));
            assertTrue(!votes || reply instanceof NodeReply.Holding, "votes, though it forgot: " + reply);
        }
    }

    private static NodeReply ask(RealFleet fleet, int node, Ask question) {
        CompletableFuture<NodeReply> reply = new CompletableFuture<>();
        fleet.onLoop(() -> question.put(fleet.fleet.lockNodes().get(node), reply::complete));
        return RealLoop.await(reply);
    }

    private static long age(Response answer) {
        return answer.get(3).toLong();
    }

    private static Response ask(GuardScript node, String occasion, String id, long age) {
        return ask(node, occasion, id, age, "run-1");
    }

    private static Response ask(GuardScript node, String occasion, String id, long age, String run) {
        return node.admit(
                new String[] {run, "3", "1", "61000", "0", occasion, id, Long.toString(age), "a", ""});
    }
}
