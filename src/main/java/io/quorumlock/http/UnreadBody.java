// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/**
 * The rest of a body whose request is answered before its end. It is discarded, because a client that still sends when the
 * connection is closed gets an error of TCP instead of the answer. The rest of one that sends too much, or for too long, is
 * refused: the connection is closed, or with HTTP/2 the stream.
 */
final class UnreadBody implements Handler<Buffer> {
    /** More than a state of Terraform usually has. They are the largest bodies. */
    private static final long MOST_BYTES = 64 * 1024 * 1024;

    /** Compared when a part arrives. The timeout of idle connections ends those on which none does. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final long NO_ERROR = 0;

    private final HttpServerRequest request;
    private final MonotonicClock clock;
    private final MonotonicTime end;
    private long left = MOST_BYTES;

    private UnreadBody(HttpServerRequest request, MonotonicClock clock) {
        this.request = request;
        this.clock = clock;
        this.end = clock.now().plus(LONGEST);
    }

    /**
     * Discards what the client still sends. Begins with the next turn of the event loop, because most requests have ended by
     * then, and a worker thread may write the answer.
     */
    static void discard(HttpServerRequest request, MonotonicClock clock) {
        if (!request.isEnded()) {
            UnreadBody rest = new UnreadBody(request, clock);
            Vertx.currentContext().runOnContext(turn -> rest.begin());
        }
    }

    private void begin() {
        if (!request.isEnded()) {
            request.handler(this).resume();
        }
    }

    @Override
    public void handle(Buffer part) {
        left -= part.length();
        if (left < 0 || end.isBefore(clock.now())) {
            refuse();
        }
    }

    private void refuse() {
        request.handler(null);
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(NO_ERROR);
        } else {
            request.connection().close();
        }
    }
}
