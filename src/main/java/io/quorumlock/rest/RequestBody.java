package io.quorumlock.rest;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.TimeUnit;

/** Collects the body of one request, up to a bound (R14). Its content type is not looked at. */
final class RequestBody {
    static final int MOST_BYTES = 16 * 1024;

    /** What is still read, and thrown away, so that the client gets to read that it sent too much. */
    private static final long MOST_DRAINED = 64L * MOST_BYTES;

    private static final int LONGEST_SANE_LENGTH = 9;
    private static final long LONGEST_SECONDS = 10;
    /** For a client that was too slow to read that it was. */
    private static final long LAST_WORDS_SECONDS = 1;

    private final HttpServerRequest request;
    private final Reader reader;
    private final Buffer collected = Buffer.buffer(0);
    private final Vertx vertx = Vertx.currentContext().owner();
    private long received;
    private boolean complete;
    private boolean refused;
    private long deadline;

    /** Hears how it went: one of these, once. Of a client that leaves it hears nothing. */
    interface Reader {
        void complete(byte[] body);

        void rejected(Answer answer);
    }

    private RequestBody(HttpServerRequest request, Reader reader) {
        this.request = request;
        this.reader = reader;
    }

    /** Says whether there may be one. */
    static boolean mayFollow(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return true;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING) : !length.equals("0");
    }

    /** Says whether the request announces more than is taken. */
    static boolean isTooLarge(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && (length.length() > LONGEST_SANE_LENGTH || Long.parseLong(length) > MOST_BYTES);
    }

    /** Reads it whole, or refuses one that is too large or comes too slowly. */
    static void read(HttpServerRequest request, Reader reader) {
        new RequestBody(request, reader).listen();
    }

    /** Throws it away, within bounds. */
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

    /** Other requests of the same connection are cut only where they can but follow this one. */
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
