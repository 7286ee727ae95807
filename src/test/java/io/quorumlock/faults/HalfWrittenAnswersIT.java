// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.StreamClient;
import io.quorumlock.testing.TestSize;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Clients that disconnect in the middle of an answer. */
@Isolated
@Tag("nightly")
@Proves("R11")
class HalfWrittenAnswersIT {
    /** A limit that only a hang exceeds. The leases last longer. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final int TTL_MS = 600_000;
    /** An owner that makes answers long, so that all of them exceed the socket buffers. */
    private static final String NAME = "%C3%BC".repeat(240);

    private static final int LOCKS = 2_000;
    private static final int CLIENTS = TestSize.of("crowd.clients", 1_000);
    private static final int AT_ONCE = 400;
    private static final int FEW_BYTES = 100;
    private static final int RESOURCES = 5;

    /** The result of a failed listing. */
    private static final List<Integer> UNKNOWN = List.of(-1);

    private final LocalService service = LocalService.start("-Dquorumlock.ttl.max=10m");

    @AfterEach
    void stop() {
        service.close();
    }

    /**
     * R11: a client sends many requests, reads nothing and disconnects. It may have received the answers that were
     * written. The leases of all other answers are released long before they expire.
     */
    @Test
    void releasesLeasesWhoseAnswersWereNotWritten() throws IOException {
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(1);
            client.setSoLinger(true, 0);
            client.connect(new InetSocketAddress("127.0.0.1", service.uri().getPort()));
            new Thread(() -> writeRequests(client)).start();
            // The answers come in the order of the requests. A listing would take longer, and the service closes the
            // connection of a client that reads nothing for the idle timeout.
            Eventually.within(
                    LONG,
                    () -> numbersHeld().size() + " locks held",
                    () -> service.client().get(path(LOCKS - 1)).status() == 200);
        }
        Eventually.within(LONG, () -> numbersHeld().toString(), () -> {
            List<Integer> left = numbersHeld();
            return !left.isEmpty() && left.size() < LOCKS && left.equals(first(left.size()));
        });
        Eventually.within(
                LONG, "no requests left", () -> service.client().metric("quorumlock_requests_in_flight") == 0);
        assertTrue(!service.output().contains("ERROR"), service::output);
    }

    /**
     * R11, N: with HTTP/2 a client can accept only a few bytes, so that half of its answer is written. A server closes
     * a connection after too many resets, so some clients get no answer.
     */
    @Test
    void requestsResetDuringAnswerLeaveNothingBehind() {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger half = new AtomicInteger();
        try (StreamClient crowd = new StreamClient(service.uri(), AT_ONCE, FEW_BYTES)) {
            for (int i = 0; half.get() < CLIENTS; i++) {
                Eventually.within(LONG, () -> half + " answers half read", () -> open.get() < AT_ONCE);
                open.incrementAndGet();
                crowd.open(HttpMethod.POST, path(i % RESOURCES) + "?ttlMs=" + TTL_MS + "&waitMs=10000")
                        .compose(StreamClient::resetHalfWay)
                        .onSuccess(status -> half.addAndGet(status == 201 ? 1 : 0))
                        .onComplete(done -> open.decrementAndGet());
            }
        }
        Eventually.within(
                LONG, () -> numbersHeld().toString(), () -> numbersHeld().isEmpty());
        Eventually.within(LONG, "no waiters left", () -> service.client().metric("quorumlock_waiters") == 0);
        Eventually.within(
                LONG, "no requests left", () -> service.client().metric("quorumlock_requests_in_flight") == 0);
    }

    private static void writeRequests(Socket client) {
        try {
            client.getOutputStream().write(requests().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            // The service did not read all requests.
        }
    }

    private static String requests() {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < LOCKS; i++) {
            requests.append("POST ")
                    .append(path(i))
                    .append("?ttlMs=" + TTL_MS + "&waitMs=10000 HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        return requests.toString();
    }

    private static String path(int number) {
        return "/locks/cut/" + number + "/" + NAME;
    }

    private List<Integer> numbersHeld() {
        List<Integer> numbers = new ArrayList<>();
        String after = "";
        do {
            LockClient.Answer answer = service.client().get("/locks?prefix=cut/&limit=1000" + after);
            if (answer.status() != 200) {
                return UNKNOWN;
            }
            JsonNode page = answer.body();
            for (JsonNode lock : page.path("locks")) {
                numbers.add(Integer.valueOf(lock.path("resource").asText().split("/")[1]));
            }
            after = page.has("after") ? "&after=" + page.path("after").asText() : "";
        } while (!after.isEmpty());
        Collections.sort(numbers);
        return numbers;
    }

    private static List<Integer> first(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
