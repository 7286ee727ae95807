// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.SpanCollector;
import io.quorumlock.testing.SpanCollector.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traces of the packaged service. */
class TracingIT {
    private static final Duration SHUTDOWN = Duration.ofSeconds(10);

    /** Long enough that a busy machine loses no votes. */
    private static final Map<String, String> PATIENT =
            Map.of("QUORUMLOCK_NODE_TIMEOUT", "2s", "QUORUMLOCK_TTL_MIN", "5s");

    private static final String CALLER = "00f067aa0ba902b7";
    private static final String NAME = "canary-of-names/1";
    /** The template of the resource methods, which the framework takes as the route. */
    private static final String LOCK = "/locks/{name:\\G.+}";

    private static final String KEY = "canary-of-keys-0123456789";

    /** Exports no name and samples no request without a trace. */
    private static SpanCollector collector;

    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        collector = SpanCollector.start();
        service = traced(
                collector.url(),
                Map.of(
                        "OTEL_TRACES_SAMPLER_ARG", "0.0",
                        "QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true",
                        "QUARKUS_HTTP_ACCESS_LOG_ENABLED", "true"));
    }

    @AfterAll
    static void stop() {
        service.close();
        collector.close();
    }

    /** The start of the ids that callers give here; the service's own ids are random. */
    private static final String TRACE_PREFIX = "0".repeat(24);

    private static int traces;

    private final String acquiredTrace = newTrace();
    private final String extendedTrace = newTrace();
    private final String releasedTrace = newTrace();
    private final String unsampledTrace = newTrace();

    /** Returns an id that no other test uses, because tests share a collector. */
    private static String newTrace() {
        return TRACE_PREFIX + "%08x".formatted(++traces);
    }

    @Test
    void exportsRequestAndCallInTheTraceOfTheCaller() {
        String token = lease(service);
        assertRequestWithCall("acquire", acquiredTrace, "POST " + LOCK);
        assertRequestWithCall("extend", extendedTrace, "PUT " + LOCK + "/extend");
        assertRequestWithCall("release", releasedTrace, "DELETE " + LOCK);
        assertEquals(List.of(), collector.spans(unsampledTrace));
        String exported = collector.text();
        assertTrue(exported.contains(LOCK), exported);
        assertFalse(exported.contains(token) || exported.contains("canary"), exported);
        assertFalse(exported.contains("GET " + LOCK), exported);
    }

    @Test
    void addsTheTraceToLogs() {
        lease(service);
        Eventually.holds(service::output, () -> service.output().contains("\"traceId\":\"" + extendedTrace + "\""));
    }

    /** The request for the other name has no traceparent, so only the ratio decides. */
    @Test
    @Tag("nightly")
    void exportsResourceNamesAndSamplesRequestsWithoutTraceIfConfigured() {
        try (SpanCollector names = SpanCollector.start();
                ServiceProcess named = traced(
                        names.url(),
                        Map.of("QUORUMLOCK_TRACING_RESOURCE_NAMES", "true", "OTEL_TRACES_SAMPLER_ARG", "1.0"))) {
            lease(named);
            Span request = await(names, acquiredTrace, "POST " + LOCK, 1).get(0);
            assertEquals("/locks/" + NAME, request.attributes().get("url.path"));
            Span call = await(names, acquiredTrace, "acquire", 1).get(0);
            assertEquals(NAME, call.attributes().get("quorumlock.resource"));
            await(names, releasedTrace, "DELETE " + LOCK, 1);
            assertTrue(names.text().contains("/locks/other"), names::text);
        }
    }

    @Test
    void endsSpansOfDisconnectedWaiter() throws IOException {
        LockClient client = service.client();
        String token = client.acquire(NAME, 10_000).token();
        try (Socket waiting = new Socket("127.0.0.1", service.uri().getPort())) {
            waiting.getOutputStream().write(acquireWithWait().getBytes(StandardCharsets.US_ASCII));
            Eventually.holds("waits", () -> client.metric("quorumlock_waiters") == 1);
        }
        Span request = await(collector, acquiredTrace, "POST " + LOCK, 1).get(0);
        assertEquals(
                "io.vertx.core.http.HttpClosedException", request.attributes().get("error.type"));
        assertFalse(request.attributes().containsKey("http.response.status_code"), request::toString);
        Span call = await(collector, acquiredTrace, "acquire", 1).get(0);
        assertEquals(request.id(), call.parent());
        assertEquals("cancelled", call.attributes().get("quorumlock.outcome"));
        client.release(NAME, token);
    }

    private String acquireWithWait() {
        return "POST /locks/" + NAME + "?waitMs=9000 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\ntraceparent: "
                + parent(acquiredTrace, "01") + "\r\n\r\n";
    }

    @Test
    @Tag("nightly")
    void servesWithoutACollector() {
        String unreachable = "http://127.0.0.1:" + FreePorts.find(1).get(0);
        try (ServiceProcess alone = traced(unreachable, Map.of())) {
            lease(alone);
            Eventually.holds(alone::output, () -> alone.output().contains("Failed to export"));
            lease(alone);
            alone.terminate();
            assertEquals(143, alone.exitCode(SHUTDOWN), alone::output);
            assertFalse(alone.output().contains("canary"), alone::output);
        }
    }

    @Test
    @Tag("nightly")
    void doesNotWaitForASilentCollector() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServiceProcess alone = traced("http://127.0.0.1:" + mute.getLocalPort(), Map.of())) {
            lease(alone);
            alone.terminate();
            assertEquals(143, alone.exitCode(SHUTDOWN), alone::output);
        }
    }

    @Test
    @Tag("nightly")
    void exportsNothingByDefault() {
        try (SpanCollector unused = SpanCollector.start();
                ServiceProcess quiet = ServiceProcess.startReady(Map.of(
                        "QUORUMLOCK_EMBEDDED", "true",
                        "QUORUMLOCK_NODE_TIMEOUT", "2s",
                        "QUORUMLOCK_TTL_MIN", "5s",
                        "OTEL_EXPORTER_OTLP_ENDPOINT", unused.url(),
                        "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf",
                        "QUARKUS_OTEL_BSP_SCHEDULE_DELAY", "200ms"))) {
            lease(quiet);
            quiet.terminate();
            assertEquals(143, quiet.exitCode(SHUTDOWN), quiet::output);
            assertEquals("", unused.text());
        }
    }

    private static ServiceProcess traced(String collector, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("QUORUMLOCK_EMBEDDED", "true");
        environment.putAll(PATIENT);
        environment.put("OTEL_SDK_DISABLED", "false");
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector);
        environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
        environment.put("QUARKUS_OTEL_BSP_SCHEDULE_DELAY", "200ms");
        return ServiceProcess.startReady(environment);
    }

    /** Acquires, extends and releases a lock, each in its own trace, and returns the token. */
    private String lease(ServiceProcess service) {
        LockClient client = service.client().withKey(KEY).with("baggage", "secret=canary-of-baggage");
        Answer acquired =
                client.with("traceparent", parent(acquiredTrace, "01")).acquire(NAME, 10_000);
        assertEquals(201, acquired.status(), service::output);
        String token = acquired.token();
        client.with("traceparent", parent(unsampledTrace, "00")).get("/locks/" + NAME);
        client.get("/locks/other?token=canary-of-queries");
        assertEquals(
                200,
                client.with("traceparent", parent(extendedTrace, "01"))
                        .extend(NAME, token)
                        .status());
        assertEquals(
                204,
                client.with("traceparent", parent(releasedTrace, "01"))
                        .release(NAME, token)
                        .status());
        return token;
    }

    private static String parent(String trace, String flags) {
        return "00-" + trace + "-" + CALLER + "-" + flags;
    }

    private static void assertRequestWithCall(String verb, String trace, String name) {
        Span request = await(collector, trace, name, 1).get(0);
        Span call = await(collector, trace, verb, 1).get(0);
        assertEquals(2, collector.spans(trace).size());
        assertEquals(CALLER, request.parent());
        assertEquals(request.id(), call.parent());
    }

    private static List<Span> await(SpanCollector collector, String trace, String name, int count) {
        Eventually.holds(
                () -> name + " in " + collector.spans(trace),
                () -> named(collector, trace, name).size() == count);
        return named(collector, trace, name);
    }

    private static List<Span> named(SpanCollector collector, String trace, String name) {
        return collector.spans(trace).stream()
                .filter(span -> span.name().equals(name))
                .toList();
    }
}
