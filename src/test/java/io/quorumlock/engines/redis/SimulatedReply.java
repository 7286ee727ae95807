// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A reply of a simulated server: a number, a text or a list, without encoding. */
final class SimulatedReply implements Response {
    static final Response OK = text("OK");

    private final ResponseType type;
    private final long number;
    private final String text;
    private final List<Response> elements;

    private SimulatedReply(ResponseType type, long number, String text, List<Response> elements) {
        this.type = type;
        this.number = number;
        this.text = text;
        this.elements = elements;
    }

    static Response number(long number) {
        return new SimulatedReply(ResponseType.NUMBER, number, null, List.of());
    }

    static Response text(String text) {
        return new SimulatedReply(ResponseType.BULK, 0, text, List.of());
    }

    static Response list(Response... elements) {
        return new SimulatedReply(ResponseType.MULTI, 0, null, List.of(elements));
    }

    @Override
    public ResponseType type() {
        return type;
    }

    @Override
    public Long toLong() {
        return text == null ? number : Long.parseLong(text);
    }

    @Override
    public Integer toInteger() {
        return Math.toIntExact(toLong());
    }

    @Override
    public Response get(int index) {
        return elements.get(index);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public Set<String> getKeys() {
        return Set.of();
    }

    @Override
    public Iterator<Response> iterator() {
        return elements.iterator();
    }

    @Override
    public Stream<Response> stream() {
        return elements.stream();
    }

    @Override
    public String toString() {
        return switch (type) {
            case NUMBER -> Long.toString(number);
            case MULTI -> elements.toString();
            default -> text;
        };
    }
}
