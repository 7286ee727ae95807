package io.quorumlock.http;

import io.quorumlock.lock.LockChange;
import io.quorumlock.lock.LockWatch;
import io.quorumlock.lock.ResourceName;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Writes events to one reader, as server-sent events. A reader who does not keep up is cut off, not waited for: what is kept
 * for it is bounded (R14).
 */
final class EventStream {
    private static final int MOST_EVENTS = 256;
    private static final int MOST_BYTES = 256 * 1024;
    private static final String GREETING = ": hints, not facts: events may be late, missing or wrong\n\n";
    private static final String HEARTBEAT = ": nothing happened\n\n";
    private static final String END = "event: end\ndata: {}\n\n";

    private final HttpServerResponse response;
    private final Vertx vertx;
    private final Context loop;
    private final AnswerWriter writer;
    private final Predicate<ResourceName> wanted;
    private final Ending ending;
    private final AtomicInteger handedOver = new AtomicInteger();
    private LockWatch.Watch watch = () -> {};
    private long heartbeat;
    private long written;
    private boolean over;

    /** Hears, once, that a stream is over. */
    interface Ending {
        void ended(EventStream stream, boolean cut);
    }

    /** Must be made on the loop of the connection. */
    EventStream(RoutingContext context, AnswerWriter writer, Predicate<ResourceName> wanted, Ending ending) {
        this.response = context.response();
        this.vertx = context.vertx();
        this.loop = vertx.getOrCreateContext();
        this.writer = writer;
        this.wanted = wanted;
        this.ending = ending;
        context.addEndHandler(gone -> finish(false));
    }

    void begin(LockWatch source, Duration heartbeats) {
        response.setChunked(true)
                .setWriteQueueMaxSize(MOST_BYTES)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
        write(GREETING);
        heartbeat = vertx.setPeriodic(heartbeats.toMillis(), beat -> write(HEARTBEAT));
        watch = source.watch(this::offer);
    }

    /** Says goodbye; from any thread. */
    void end() {
        loop.runOnContext(turn -> {
            if (!over) {
                response.end(END);
                finish(false);
            }
        });
    }

    /** Is told on the engine's loop, which waits for nobody. */
    private void offer(LockChange change) {
        if (!wanted.test(change.resource())) {
            return;
        }
        if (handedOver.incrementAndGet() > MOST_EVENTS) {
            loop.runOnContext(turn -> cut());
            return;
        }
        loop.runOnContext(turn -> {
            handedOver.decrementAndGet();
            write(text(change));
        });
    }

    private void write(String text) {
        if (over) {
            return;
        }
        if (response.writeQueueFull()) {
            cut();
        } else {
            response.write(text);
        }
    }

    private String text(LockChange change) {
        EventBody body = EventBody.of(change);
        written++;
        return "id: " + body.fencingToken() + "-" + body.kind() + "-" + written + "\nevent: " + body.kind() + "\ndata: "
                + new String(writer.bytes(body), StandardCharsets.UTF_8) + "\n\n";
    }

    private void cut() {
        if (!over) {
            finish(true);
            response.reset();
        }
    }

    private void finish(boolean cut) {
        if (!over) {
            over = true;
            vertx.cancelTimer(heartbeat);
            watch.end();
            ending.ended(this, cut);
        }
    }
}
