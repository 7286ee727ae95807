// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.StreamClient;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.StreamResetException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limits of what is read behind an early answer, on real sockets and with virtual time. */
class UnreadBodyTest {
    private static final int MEGABYTE = 1024 * 1024;
    private static final String ENDLESS = "POST /endless HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000000\r\n\r\n";

    private final RealLoop loop = new RealLoop();
    private final AtomicLong nanos = new AtomicLong();
    private URI service;

    @BeforeEach
    void start() {
        AnswerWriter writer = ContractJson.writer(() -> new MonotonicTime(nanos.get()));
        service = loop.serve(context -> writer.write(Problems.notFound(), context));
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void closesConnectionThatSendsTooMuch() {
        byte[] megabyte = new byte[MEGABYTE];
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(ENDLESS);
            assertEquals(404, connection.read().status());
            for (int sent = 0; sent < 64; sent++) {
                connection.write(megabyte);
            }
            assertThrows(UncheckedIOException.class, () -> {
                for (int more = 0; more < 64; more++) {
                    connection.write(megabyte);
                }
            });
        }
    }

    @Test
    void closesConnectionThatSendsForTooLong() {
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(ENDLESS);
            assertEquals(404, connection.read().status());
            nanos.addAndGet(Duration.ofSeconds(31).toNanos());
            connection.write(" ");
            assertTrue(connection.isClosedByService());
        }
    }

    @Test
    void readsForAsLongAsTheLimit() {
        try (RawConnection connection = new RawConnection(service)) {
            connection.write("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n");
            assertEquals(404, connection.read().status());
            nanos.addAndGet(Duration.ofSeconds(30).toNanos());
            connection.write("{}GET / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertEquals(404, connection.read().status());
        }
    }

    /** Other requests of the connection go on. */
    @Test
    void resetsStreamOfHttp2ThatSendsForTooLong() {
        try (StreamClient client = new StreamClient(service, 1)) {
            HttpClientRequest other = open(client);
            HttpClientRequest endless = open(client);
            assertEquals(other.connection(), endless.connection());
            CompletableFuture<Throwable> reset = new CompletableFuture<>();
            endless.exceptionHandler(reset::complete).setChunked(true).write(" ");
            assertEquals(404, await(endless.response()).statusCode());
            nanos.addAndGet(Duration.ofSeconds(31).toNanos());
            endless.write(" ");
            StreamResetException end = assertInstanceOf(StreamResetException.class, RealLoop.await(reset));
            assertEquals(0, end.getCode());
            assertEquals(404, await(other.send()).statusCode());
        }
    }

    private static HttpClientRequest open(StreamClient client) {
        return await(client.open(HttpMethod.POST, "/"));
    }

    private static <T> T await(Future<T> future) {
        return RealLoop.await(future.toCompletionStage().toCompletableFuture());
    }
}
