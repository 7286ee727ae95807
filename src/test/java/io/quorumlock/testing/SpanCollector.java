// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A minimal OpenTelemetry collector that receives spans over OTLP/HTTP. */
public final class SpanCollector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();
    /** Field numbers of opentelemetry/proto/trace/v1. */
    private static final int RESOURCE_SPANS = 1;

    private static final int SCOPE_SPANS = 2;
    private static final int SPANS = 2;
    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 2;
    private static final int PARENT_ID = 4;
    private static final int NAME = 5;
    private static final int ATTRIBUTES = 9;

    private final HttpServer server;
    private final List<byte[]> received = new CopyOnWriteArrayList<>();

    /** A span. Only attributes with text values have a value; the others are empty. */
    public record Span(String trace, String id, String parent, String name, Map<String, String> attributes) {}

    private SpanCollector(HttpServer server) {
        this.server = server;
    }

    /** Starts a collector on the loopback interface. */
    public static SpanCollector start() {
        try {
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            SpanCollector collector = new SpanCollector(HttpServer.create(anyPort, 0));
            collector.server.createContext("/v1/traces", collector::take);
            collector.server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        received.add(exchange.getRequestBody().readAllBytes());
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** Returns all received bytes as text, for searches. */
    public String text() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        received.forEach(all::writeBytes);
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    /** Returns the spans of one trace in the order of arrival. */
    public List<Span> spans(String trace) {
        return received.stream()
                .flatMap(request -> new ProtobufFields(request).messages(RESOURCE_SPANS).stream())
                .flatMap(resource -> resource.messages(SCOPE_SPANS).stream())
                .flatMap(scope -> scope.messages(SPANS).stream())
                .map(SpanCollector::span)
                .filter(span -> span.trace().equals(trace))
                .toList();
    }

    private static Span span(ProtobufFields fields) {
        return new Span(
                HEX.formatHex(fields.first(TRACE_ID)),
                HEX.formatHex(fields.first(SPAN_ID)),
                HEX.formatHex(fields.first(PARENT_ID)),
                utf8(fields.first(NAME)),
                fields.messages(ATTRIBUTES).stream()
                        .collect(Collectors.toMap(
                                pair -> utf8(pair.first(1)),
                                pair -> utf8(new ProtobufFields(pair.first(2)).first(1)))));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
