package io.quorumlock.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;

/** Collects the body of one request, up to a bound (R14). Its content type is not looked at. */
final class RequestBody {
    static final int MOST_BYTES = 16 * 1024;

    /** What is still read, and thrown away, so that the client gets to read that it sent too much. */
    private static final long MOST_DRAINED = 64L * MOST_BYTES;

    private final HttpServerRequest request;
    private final Buffer collected = Buffer.buffer(0);
    private long received;

    private RequestBody(HttpServerRequest request) {
        this.request = request;
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
        return length != null && (length.length() > 9 || Long.parseLong(length) > MOST_BYTES);
    }

    /** Reads it whole, or finds that it is too large, once. */
    static void read(HttpServerRequest request, Consumer<byte[]> whole, Runnable tooLarge) {
        new RequestBody(request).listen(whole, tooLarge);
    }

    /** Throws it away, within bounds. */
    static void drain(HttpServerRequest request) {
        new RequestBody(request).listen(bytes -> {}, () -> {});
    }

    private void listen(Consumer<byte[]> whole, Runnable tooLarge) {
        request.exceptionHandler(gone -> {});
        request.endHandler(end -> {
            if (received <= MOST_BYTES) {
                whole.accept(collected.getBytes());
            }
        });
        request.handler(chunk -> take(chunk, tooLarge));
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT)) && !isTooLarge(request)) {
            request.response().writeContinue();
        }
    }

    private void take(Buffer chunk, Runnable tooLarge) {
        boolean fitted = received <= MOST_BYTES;
        received += chunk.length();
        if (received <= MOST_BYTES) {
            collected.appendBuffer(chunk);
        } else if (fitted) {
            tooLarge.run();
        } else if (received > MOST_DRAINED) {
            request.connection().close();
        }
    }
}
