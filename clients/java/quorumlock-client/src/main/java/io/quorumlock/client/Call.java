// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A request that has been sent to a replica. It is sent again after a 401 if the key file has another key now. */
final class Call {
    private static final int LARGEST_ANSWER = 64 * 1024; // bytes

    private final Transport transport;
    private final URI uri;
    private final String method;
    private final String token; // null for none
    private final int url;
    final Moment sent = Moment.now();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String usedKey;
    private CompletableFuture<HttpResponse<Void>> response;
    private boolean cancelled;

    Call(Transport transport, int url, String method, String target, String token) {
        this.transport = transport;
        this.url = url;
        this.method = method;
        this.token = token;
        uri = URI.create(transport.urls.get(url) + target);
        send();
    }

    private synchronized void send() {
        usedKey = transport.key();
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody());
        if (token != null) {
            request.header("Lock-Token", token);
        }
        if (usedKey != null) {
            request.header("Authorization", "Bearer " + usedKey);
        }
        body.reset();
        response = transport.http.sendAsync(
                request.build(), BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(this::add)));
        if (cancelled) {
            response.cancel(true);
        }
    }

    /** Ends the request. */
    synchronized void cancel() {
        cancelled = true;
        response.cancel(true);
    }

    private void add(byte[] part) {
        if (body.size() + part.length > LARGEST_ANSWER) {
            throw new UncheckedIOException(new IOException("the answer is too large"));
        }
        body.writeBytes(part);
    }

    /** Waits for the complete answer, and ends the request if it does not arrive within the limit in ms. */
    Answer await(long limit) throws InterruptedException {
        int status = 0;
        try {
            HttpResponse<Void> head = response.get(limit, TimeUnit.MILLISECONDS);
            while (head.statusCode() == 401 && transport.renewKey(usedKey)) {
                send();
                head = response.get(limit - sent.age(), TimeUnit.MILLISECONDS);
            }
            status = head.statusCode();
            transport.preferred = status < 500 ? url : transport.preferred;
            String retryAfter = head.headers().firstValue("Retry-After").orElse("");
            long pause = retryAfter.matches("[1-9]\\d{0,8}") ? Long.parseLong(retryAfter) * 1000 : -1;
            return new Answer(
                    sent,
                    transport.urls.get(url),
                    status,
                    Json.fields(body.toString(StandardCharsets.UTF_8)),
                    pause,
                    null);
        } catch (ExecutionException e) {
            return new Answer(sent, transport.urls.get(url), 0, null, -1, e.getCause());
        } catch (TimeoutException | CancellationException e) {
            return new Answer(sent, transport.urls.get(url), 0, null, -1, e);
        } finally {
            cancel(); // closes the connection unless the answer is complete
            if (transport.debug) {
                System.err.printf("quorumlock %s %s %d %d ms%n", method, uri.getRawPath(), status, sent.age());
            }
        }
    }
}
