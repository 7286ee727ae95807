package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.StreamClient;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that hang up half-way through an answer. */
class HalfWrittenAnswersIT {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Makes answers long: together they are more than sockets keep. */
    private static final String NAME = "%C3%BC".repeat(240);

    private static final int LOCKS = 2_000;
    private static final int CLIENTS = 10_000;
    private static final int AT_ONCE = 400;
    private static final int FEW_BYTES = 100;
    private static final int RESOURCES = 5;

    /** Is what a service tells that has too much to do. */
    private static final List<Integer> UNKNOWN = List.of(-1);

    private final List<RedisServer> masters = RedisServers.start(5);
    private final ServiceProcess service = ServiceProcess.on(masters);

    @AfterEach
    void stop() {
        service.close();
        RedisServers.close(masters);
    }

    /**
     * R11: a client that asks and asks, reads nothing and hangs up. The answers that had left may have been read; of the others
     * nobody can know, and their TTL is a minute.
     */
    @Test
    void whatWasNotWrittenToItsEndIsReleasedAtOnce() throws IOException {
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(1);
            client.setSoLinger(true, 0);
            client.connect(new InetSocketAddress("127.0.0.1", service.uri().getPort()));
            client.getOutputStream().write(requests().getBytes(StandardCharsets.US_ASCII));
            Eventually.within(LONG, service::output, () -> isHeld(LOCKS - 1));
            assertTrue(isHeld(0));
        }
        Eventually.within(SOON, () -> numbersHeld().toString(), () -> {
            List<Integer> held = numbersHeld();
            return !held.isEmpty() && held.size() < LOCKS && held.equals(first(held.size()));
        });
        assertEquals(0, service.client().metric("quorumlock_requests_in_flight"));
        assertTrue(!service.output().contains("ERROR"), service::output);
    }

    /**
     * R11, N: with HTTP/2 a client can let a few bytes pass, so that half of its answer is written and no more. A server that is
     * reset too often ends the connection with all that is on it; some clients come in vain for that.
     */
    @Test
    void tenThousandWhoResetHalfWayThroughTheAnswerLeaveNothingBehind() {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger half = new AtomicInteger();
        try (StreamClient crowd = new StreamClient(service.uri(), AT_ONCE, FEW_BYTES)) {
            for (int i = 0; half.get() < CLIENTS; i++) {
                Eventually.within(SOON, () -> half + " got half of a lease", () -> open.get() < AT_ONCE);
                open.incrementAndGet();
                crowd.open(HttpMethod.POST, path(i % RESOURCES) + "?ttlMs=60000&waitMs=10000")
                        .compose(StreamClient::resetHalfWay)
                        .onSuccess(status -> half.addAndGet(status == 201 ? 1 : 0))
                        .onComplete(done -> open.decrementAndGet());
            }
        }
        Eventually.within(
                SOON, () -> numbersHeld().toString(), () -> numbersHeld().isEmpty());
        assertEquals(0, service.client().metric("quorumlock_waiters"));
        assertEquals(0, service.client().metric("quorumlock_requests_in_flight"));
    }

    private static String requests() {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < LOCKS; i++) {
            requests.append("POST ").append(path(i)).append("?ttlMs=60000&waitMs=10000 HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        return requests.toString();
    }

    private static String path(int number) {
        return "/locks/cut/" + number + "/" + NAME;
    }

    private boolean isHeld(int number) {
        return service.client().get(path(number)).body().path("held").asBoolean();
    }

    private List<Integer> numbersHeld() {
        List<Integer> numbers = new ArrayList<>();
        String cursor = "";
        do {
            LockClient.Answer answer = service.client().get("/locks?prefix=cut/&limit=1000" + cursor);
            if (answer.status() != 200) {
                return UNKNOWN;
            }
            JsonNode page = answer.body();
            for (JsonNode lock : page.path("locks")) {
                numbers.add(Integer.valueOf(lock.path("resource").asText().split("/")[1]));
            }
            cursor = page.has("cursor") ? "&cursor=" + page.path("cursor").asText() : "";
        } while (!cursor.isEmpty());
        Collections.sort(numbers);
        return numbers;
    }

    private static List<Integer> first(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
