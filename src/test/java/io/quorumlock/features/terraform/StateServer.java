// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A small HTTP store of states with a user and a password. */
final class StateServer implements AutoCloseable {
    private static final String CREDENTIALS = "Basic c3RhdGVzOnMzY3JldA=="; // states:s3cret

    final Map<String, byte[]> states = new ConcurrentHashMap<>();
    private final HttpServer server;
    /** The status of all answers; 0 for those of a store that works. */
    volatile int broken;
    /** Whether it saves nothing, and closes connections only when this ends. */
    volatile boolean hangs;
    /** The number of requests whose body it reads. */
    final AtomicInteger reading = new AtomicInteger();

    StateServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::serve);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    String url() {
        return "http://states:s3cret@127.0.0.1:" + server.getAddress().getPort() + "/below/";
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            reading.incrementAndGet();
            byte[] body;
            try {
                body = exchange.getRequestBody().readAllBytes();
            } finally {
                reading.decrementAndGet();
            }
            if (hangs) {
                Eventually.within(Duration.ofMinutes(1), "no longer hangs", () -> !hangs);
                return;
            }
            String path = exchange.getRequestURI().getRawPath();
            if (!CREDENTIALS.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.sendResponseHeaders(401, -1);
            } else if (broken != 0) {
                exchange.sendResponseHeaders(broken, -1);
            } else {
                serve(exchange, path, body);
            }
        }
    }

    private void serve(HttpExchange exchange, String path, byte[] body) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "POST", "PUT" -> {
                states.put(path, body);
                exchange.sendResponseHeaders(200, -1);
            }
            default -> {
                byte[] state = states.get(path);
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(state == null ? 404 : 200, state == null ? -1 : state.length);
                if (state != null) {
                    exchange.getResponseBody().write(state);
                }
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
