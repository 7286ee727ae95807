// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A plain HTTP client of the service. */
public final class LockClient {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Eventually.LONGEST)
            .build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI base;
    /** Headers of every request. */
    private final Map<String, String> headers;

    /**
     * An answer with the times of its request.
     *
     * @param sent when the request was about to be sent, by {@code System.nanoTime}
     * @param received when the answer was complete, by {@code System.nanoTime}
     */
    public record Answer(int status, JsonNode body, HttpResponse<String> response, long sent, long received) {
        public Duration took() {
            return Duration.ofNanos(received - sent);
        }

        public Map<String, String> headers() {
            return response.headers().map().entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, header -> header.getValue().get(0)));
        }

        public String token() {
            return body.path("token").asText();
        }

        /** Returns the last path segment of the problem's type. */
        public String problem() {
            return body.path("type").asText().replace("/problems/", "");
        }
    }

    public LockClient(URI base) {
        this(base, Map.of());
    }

    private LockClient(URI base, Map<String, String> headers) {
        this.base = base;
        this.headers = headers;
    }

    /** Returns a client that sends this API key. */
    public LockClient withKey(String shown) {
        return with("Authorization", "Bearer " + shown);
    }

    /** Returns a client that also sends this header. */
    public LockClient with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new LockClient(base, more);
    }

    public Answer acquire(String resource, int ttlMs) {
        return send(request("/locks/" + resource).POST(BodyPublishers.ofString("{\"ttlMs\":" + ttlMs + "}")));
    }

    /** Acquires with a wait. */
    public Answer acquire(String resource, int ttlMs, int waitMs) {
        return send(request("/locks/" + resource + "?waitMs=" + waitMs)
                .POST(BodyPublishers.ofString("{\"ttlMs\":" + ttlMs + "}")));
    }

    /** Makes a call for several locks: "names=a&names=b". */
    public Answer several(String method, String path, String names, String token) {
        return send(request(path + "?" + names).header("Lock-Token", token).method(method, BodyPublishers.noBody()));
    }

    public Answer extend(String resource, String token) {
        return send(request("/locks/" + resource + "/extend")
                .header("Lock-Token", token)
                .PUT(BodyPublishers.noBody()));
    }

    public Answer release(String resource, String token) {
        return send(request("/locks/" + resource).header("Lock-Token", token).DELETE());
    }

    /** Breaks the lock. The reason must be percent-encoded. */
    public Answer force(String resource, String reason, String requestId) {
        return send(request("/locks/" + resource + "?force=true&reason=" + reason)
                .header("X-Request-Id", requestId)
                .DELETE());
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    /** Posts a body of any kind. */
    public Answer post(String path, byte[] body) {
        return send(request(path).POST(BodyPublishers.ofByteArray(body)));
    }

    /** Reads a gauge without labels from the metrics endpoint. */
    public int metric(String name) {
        String text = get("/q/metrics").response().body();
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> (int) Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the number of masters that vote. */
    public int nodesUp() {
        return get("/nodes").body().path("up").asInt();
    }

    public boolean isReady() {
        return isUp("/q/health/ready");
    }

    /** Returns whether a health check answers 200. */
    public boolean isUp(String check) {
        try {
            return get(check).status() == 200;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(Eventually.LONGEST);
        headers.forEach(request::header);
        return request;
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            long sent = System.nanoTime();
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            long received = System.nanoTime();
            return new Answer(response.statusCode(), body(response), response, sent, received);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode body(HttpResponse<String> response) {
        try {
            boolean json =
                    response.headers().firstValue("content-type").orElse("").contains("json");
            return JSON.readTree(json ? response.body() : "{}");
        } catch (JsonProcessingException e) {
            throw new AssertionError(response.body(), e);
        }
    }
}
