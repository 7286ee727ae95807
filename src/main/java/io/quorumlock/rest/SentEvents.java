package io.quorumlock.rest;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Writes server-sent events to one reader. A reader who does not keep up is cut off, not waited for: what is kept for it is
 * bounded (R14).
 */
final class SentEvents {
    static final String CONTENT_TYPE = "text/event-stream";

    private final HttpServerResponse response;
    private final Vertx vertx;
    private final Context loop;
    private final Ending ending;
    private long heartbeat;
    private boolean beating;
    private boolean over;

    /** Hears, once, that it is over. */
    interface Ending {
        /** @param cut whether the reader was cut off */
        void ended(boolean cut);
    }

    /** Must be made on the loop of the connection. */
    SentEvents(RoutingContext context, Ending ending) {
        this.response = context.response();
        this.vertx = context.vertx();
        this.loop = vertx.getOrCreateContext();
        this.ending = ending;
        context.addEndHandler(gone -> finish(false));
    }

    /** Is how one event is written. */
    static String text(String event, byte[] json) {
        return "event: " + event + "\ndata: " + new String(json, StandardCharsets.UTF_8) + "\n\n";
    }

    /** Runs something on the loop of the connection, to which all below belong; from any thread. */
    void onLoop(Runnable task) {
        loop.runOnContext(turn -> task.run());
    }

    /**
     * Writes the head.
     *
     * @param mostBytes kept for the reader
     * @param beat is run again and again from now on, to write a comment or to end
     */
    void begin(int mostBytes, Duration heartbeats, Runnable beat) {
        response.setChunked(true)
                .setWriteQueueMaxSize(mostBytes)
                .putHeader("Content-Type", CONTENT_TYPE)
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
        heartbeat = vertx.setPeriodic(heartbeats.toMillis(), due -> beat.run());
        beating = true;
    }

    boolean isOver() {
        return over;
    }

    void write(String text) {
        if (over) {
            return;
        }
        if (response.writeQueueFull()) {
            cut();
        } else {
            response.write(text);
        }
    }

    /** Says goodbye. */
    void end(String last) {
        if (!over) {
            finish(false);
            response.end(last);
        }
    }

    void cut() {
        if (!over) {
            finish(true);
            response.reset();
        }
    }

    private void finish(boolean cut) {
        if (!over) {
            over = true;
            if (beating) {
                vertx.cancelTimer(heartbeat);
            }
            ending.ended(cut);
        }
    }
}
