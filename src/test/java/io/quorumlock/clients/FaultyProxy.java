// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A proxy between a client and the service that loses, delays and replaces answers. */
final class FaultyProxy implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "content-length", "host", "upgrade", "expect", "transfer-encoding", "http2-settings");

    private final URI service;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "faulty-proxy");
        thread.setDaemon(true);
        return thread;
    });
    /** Faults by method. Each applies to one request, in order. */
    private final Map<String, Queue<Fault>> faults = new ConcurrentHashMap<>();

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    /**
     * A request that arrived.
     *
     * @param at when it arrived, by {@code System.nanoTime}
     */
    record Seen(String method, String path, long at) {}

    /** A fault of one request. */
    @FunctionalInterface
    interface Fault {
        /** Handles the request. */
        void handle(FaultyProxy proxy, HttpExchange exchange) throws IOException, InterruptedException;
    }

    FaultyProxy(URI service) {
        this.service = service;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<Seen> seen() {
        return seen;
    }

    /** Returns whether a request with this method arrived. */
    boolean hasSeen(String method) {
        return seen.stream().anyMatch(request -> request.method().equals(method));
    }

    /** Applies these faults to the next requests with this method. */
    void next(String method, Fault... ofRequests) {
        faults.computeIfAbsent(method, none -> new ConcurrentLinkedQueue<>()).addAll(List.of(ofRequests));
    }

    /** Closes the connection of every request unanswered, until {@link #restore()}. */
    void cut() {
        cut = true;
    }

    void restore() {
        cut = false;
    }

    /** Forwards the request and closes the connection instead of answering. */
    static Fault lostAnswer() {
        return (proxy, exchange) -> {
            proxy.send(exchange);
            exchange.close();
        };
    }

    /** Forwards the request and answers when the latch is open. */
    static Fault heldAnswer(CountDownLatch latch) {
        return (proxy, exchange) -> {
            HttpResponse<byte[]> answer = proxy.send(exchange);
            latch.await();
            reply(exchange, answer);
        };
    }

    /** Forwards the request with another path or query. */
    static Fault otherTarget(UnaryOperator<String> change) {
        return (proxy, exchange) -> reply(
                exchange,
                proxy.send(exchange, change.apply(exchange.getRequestURI().toString())));
    }

    /** Answers without the service. */
    static Fault answer(int status, Map<String, String> headers, String body) {
        return (proxy, exchange) -> {
            headers.forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private void handle(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        seen.add(new Seen(method, exchange.getRequestURI().toString(), System.nanoTime()));
        Queue<Fault> next = faults.get(method);
        Fault fault = next == null ? null : next.poll();
        try {
            if (cut) {
                exchange.close();
            } else if (fault != null) {
                fault.handle(this, exchange);
            } else {
                reply(exchange, send(exchange));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.close();
        } catch (IOException e) {
            exchange.close();
        }
    }

    private HttpResponse<byte[]> send(HttpExchange exchange) throws IOException, InterruptedException {
        return send(exchange, exchange.getRequestURI().toString());
    }

    private HttpResponse<byte[]> send(HttpExchange exchange, String target) throws IOException, InterruptedException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service + target))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static void reply(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (!OF_CONNECTION.contains(name) && !name.startsWith(":")) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        byte[] body = answer.body();
        exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
