// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Masters that are farther away than the default timeout of a command, 50 ms. */
@Tag("nightly")
class FarMastersIT {
    private static final String SLOW = "answers after \\d+ ms, QUORUMLOCK_NODE_TIMEOUT is 50ms; write \\d+ms";
    /** The service decides by times of milliseconds, for which a busy machine leaves it little CPU. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final List<RedisServer> masters = RedisServers.start(5, Persistence.options());
    private final RealLoop loop = new RealLoop();
    private final List<Forwarder> ways = masters.stream()
            .map(master -> new Forwarder(loop.vertx, master.url()))
            .toList();

    @AfterEach
    void close() {
        loop.close();
        RedisServers.close(masters);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 150})
    void everythingSaysThatAllMastersAreTooFar(int millis) {
        delay(5, millis);
        Map<String, String> open = environment("50ms");
        open.put("QUORUMLOCK_SECURITY_OPEN", "true");
        String expected = IntStream.rangeClosed(1, 5)
                .mapToObj(node -> "node-" + node + " \\(127.0.0.1:\\d+\\): slow \\(" + SLOW + "\\)")
                .collect(Collectors.joining("\n"));
        // A replica that gets no CPU cannot tell who is late, and each start takes some of it.
        AtomicReference<String> printed = new AtomicReference<>("");
        Eventually.within(PATIENCE, printed::get, () -> {
            Shell.Result check =
                    new Shell(Path.of(""), open).run(Eventually.LONGEST, ServiceProcess.command("--check"));
            printed.set(check.output().strip());
            return check.status() == 1 && printed.get().matches(expected + "\n0 of 5 masters vote, 3 are required");
        });

        try (ServiceProcess service = ServiceProcess.start(environment("50ms"))) {
            Eventually.within(PATIENCE, service::output, () -> service.output().contains("Listening on"));
            LockClient client = service.client();
            awaitNodes(service, 0, 0);
            Eventually.within(PATIENCE, service::output, () -> detail(client)
                    .matches("0 of 5 masters answered, .* node-1 " + SLOW + "\\. .*"));
            String readiness = client.get("/q/health/ready").response().body();
            assertEquals(503, client.get("/q/health/ready").status(), readiness);
            Eventually.holds(
                    readiness,
                    () -> client.get("/q/health/ready").response().body().contains("slow: answers after"));
            Eventually.within(PATIENCE, service::output, () -> service.output()
                    .matches("(?s).*master down node=node-5 server=\\S+ reason=slow \\(" + SLOW + "\\).*"));
        }
    }

    @Test
    void toleranceCountsOnlyMastersInTime() {
        try (ServiceProcess service = ServiceProcess.startReady(environment("50ms"))) {
            awaitNodes(service, 5, 2);
            delay(2, 80);
            awaitNodes(service, 3, 0);
            delay(3, 80);
            awaitNodes(service, 2, 0);
            delay(5, 0);
            awaitNodes(service, 5, 2);
        }
    }

    /** A handshake takes several round trips. */
    @Test
    void reconnectsToMastersOfAnotherRegion() {
        delay(5, 400);
        try (ServiceProcess service = ServiceProcess.startReady(environment("900ms"))) {
            awaitNodes(service, 5, 2);
            ways.forEach(Forwarder::disconnect);
            awaitNodes(service, 0, 0);
            awaitNodes(service, 5, 2);
        }
    }

    @Test
    void callsTakeOneRoundTripWithTheAdvisedTimeout() {
        List<RedisProxy> proxies =
                masters.stream().map(master -> new RedisProxy(master.url())).toList();
        Map<String, String> environment =
                environment(proxies.stream().map(RedisProxy::url).toList(), "200ms");
        try (ServiceProcess service = ServiceProcess.startReady(environment)) {
            awaitNodes(service, 5, 2);
            LockClient client = service.client();
            LockClient.Answer acquired = once(proxies, "acquire", () -> client.acquire("far/one", 60_000));
            assertEquals(201, acquired.status());
            LockClient.Answer extended = once(proxies, "extend", () -> client.extend("far/one", acquired.token()));
            assertEquals(200, extended.status());
            LockClient.Answer released = once(proxies, "release", () -> client.release("far/one", acquired.token()));
            assertEquals(204, released.status());
        } finally {
            proxies.forEach(RedisProxy::close);
        }
    }

    /** Sends a call, of which each master, 60 ms away, must receive one command. */
    private static LockClient.Answer once(List<RedisProxy> proxies, String command, Supplier<LockClient.Answer> call) {
        List<ConnectionFault> commands = proxies.stream()
                .map(proxy -> {
                    ConnectionFault delay =
                            new ConnectionFault(ConnectionFault.Kind.DELAY, command, Duration.ofMillis(60));
                    proxy.inject(delay);
                    return delay;
                })
                .toList();
        LockClient.Answer answer = call.get();
        Eventually.holds(command, () -> commands.stream().allMatch(sent -> sent.count() > 0));
        assertEquals(
                List.of(1, 1, 1, 1, 1),
                commands.stream().map(ConnectionFault::count).toList());
        return answer;
    }

    private void delay(int many, int millis) {
        ways.subList(0, many).forEach(way -> way.delay(Duration.ofMillis(millis)));
    }

    private Map<String, String> environment(String timeout) {
        return environment(ways.stream().map(Forwarder::url).toList(), timeout);
    }

    private static Map<String, String> environment(List<URI> urls, String timeout) {
        String nodes = urls.stream().map(URI::toString).collect(Collectors.joining(","));
        return ServiceProcess.guarded(nodes, Map.of("QUORUMLOCK_NODE_TIMEOUT", timeout));
    }

    private static void awaitNodes(ServiceProcess service, int up, int tolerance) {
        Eventually.within(PATIENCE, service::output, () -> {
            JsonNode nodes = service.client().get("/nodes").body();
            return nodes.path("up").asInt() == up && nodes.path("tolerance").asInt() == tolerance;
        });
    }

    private static String detail(LockClient client) {
        LockClient.Answer answer = client.acquire("far/away", 60_000);
        return answer.status() == 503 ? answer.body().path("detail").asText() : "";
    }
}
