// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.TimeUnit;

/** The body of one request, with a limited size (R14) and a deadline. The content type is ignored. */
final class RequestBody {
    static final int MOST_BYTES = 16 * 1024;

    /**
     * The number of bytes that are read and discarded, so that the client can read the answer to a body that is too
     * large.
     */
    private static final long MOST_DRAINED = 64L * MOST_BYTES;

    private static final int LONGEST_SANE_LENGTH = 9;
    private static final long LONGEST_SECONDS = 10;
    /** The time for a slow client to read the answer before its connection is closed. */
    private static final long LAST_WORDS_SECONDS = 1;

    private final HttpServerRequest request;
    private final Reader reader;
    private final Buffer collected = Buffer.buffer(0);
    private final Vertx vertx = Vertx.currentContext().owner();
    private long received;
    private boolean complete;
    private boolean refused;
    private long deadline;

    /** The receiver of the result. Exactly one method is called, or none if the client disconnects. */
    interface Reader {
        void complete(byte[] body);

        void rejected(Answer answer);
    }

    private RequestBody(HttpServerRequest request, Reader reader) {
        this.request = request;
        this.reader = reader;
    }

    /** Returns whether the request may have a body. */
    static boolean mayFollow(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return true;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING) : !length.equals("0");
    }

    /** Returns whether the request announces a body that is too large. */
    static boolean isTooLarge(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && (length.length() > LONGEST_SANE_LENGTH || Long.parseLong(length) > MOST_BYTES);
    }

    /** Reads the body. Rejects a body that is too large or too slow. */
    static void read(HttpServerRequest request, Reader reader) {
        new RequestBody(request, reader).listen();
    }

    /** Reads and discards the body, up to a limit. */
    static void drain(HttpServerRequest request) {
        read(request, new Reader() {
            @Override
            public void complete(byte[] body) {}

            @Override
            public void rejected(Answer answer) {}
        });
    }

    private void listen() {
        request.exceptionHandler(gone -> finish());
        request.endHandler(end -> {
            finish();
            if (!refused) {
                reader.complete(collected.getBytes());
            }
        });
        request.handler(this::take);
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT)) && !isTooLarge(request)) {
            request.response().writeContinue();
        }
        request.resume();
        if (!complete) {
            deadline = vertx.setTimer(TimeUnit.SECONDS.toMillis(LONGEST_SECONDS), late -> {
                refuse(Problems.tooSlow(LONGEST_SECONDS));
                deadline = vertx.setTimer(TimeUnit.SECONDS.toMillis(LAST_WORDS_SECONDS), over -> cut());
            });
        }
    }

    private void refuse(Answer answer) {
        if (!refused) {
            refused = true;
            reader.rejected(answer);
        }
    }

    private void finish() {
        complete = true;
        vertx.cancelTimer(deadline);
    }

    /** Ends the request. With HTTP/2 the connection stays open for its other requests. */
    private void cut() {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            request.connection().close();
        }
    }

    private void take(Buffer chunk) {
        received += chunk.length();
        if (received <= MOST_BYTES) {
            collected.appendBuffer(chunk);
        } else if (received <= MOST_DRAINED) {
            refuse(Problems.bodyTooLarge());
        } else {
            request.connection().close();
        }
    }
}
