package io.quorumlock.rest;

import io.quorumlock.events.LockEvent;
import io.quorumlock.events.LockWatch;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Tells one reader what happens to locks; what waits for it between the loops is bounded (R14). */
final class EventStream implements LockWatch.Listener {
    private static final int MOST_EVENTS = 256;
    private static final int MOST_BYTES = 256 * 1024;
    private static final String GREETING = ": hints, not facts: events may be late, missing or wrong\n\n";
    private static final String HEARTBEAT = ": nothing happened\n\n";
    private static final String END = "event: end\ndata: {}\n\n";

    private final SentEvents events;
    private final AnswerWriter writer;
    private final EventFilter wish;
    private final Ending ending;
    private final AtomicInteger handedOver = new AtomicInteger();
    private LockWatch.Watch watch = () -> {};
    private long written;

    /** Hears, once, that a stream is over. */
    interface Ending {
        void ended(EventStream stream, boolean cut);
    }

    /** Must be made on the loop of the connection. */
    EventStream(RoutingContext context, AnswerWriter writer, EventFilter wish, Ending ending) {
        this.events = new SentEvents(context, this::finish);
        this.writer = writer;
        this.wish = wish;
        this.ending = ending;
    }

    void begin(LockWatch source, Duration heartbeats) {
        events.begin(MOST_BYTES, heartbeats, this::beat);
        events.write(GREETING);
        watch = source.watch(this);
    }

    /** Ends the stream of a reader whose key was taken away meanwhile. */
    private void beat() {
        if (wish.isGranted()) {
            events.write(HEARTBEAT);
        } else {
            events.end(END);
        }
    }

    /** Says goodbye; from any thread. */
    void end() {
        events.onLoop(() -> events.end(END));
    }

    @Override
    public void changed(LockEvent change) {
        if (wish.wanted().test(change.resource())) {
            offer(() -> text(change));
        }
    }

    @Override
    public void missed(LockWatch.Gap gap) {
        offer(() -> SentEvents.text(GapBody.KIND, writer.bytes(GapBody.of(gap))));
    }

    /** Is told on the engine's loop, which waits for nobody. */
    private void offer(Supplier<String> text) {
        if (handedOver.incrementAndGet() > MOST_EVENTS) {
            events.onLoop(events::cut);
            return;
        }
        events.onLoop(() -> {
            handedOver.decrementAndGet();
            if (!events.isOver()) {
                events.write(text.get());
            }
        });
    }

    private String text(LockEvent change) {
        EventBody body = EventBody.of(change);
        written++;
        return "id: " + body.fencingToken() + "-" + body.kind() + "-" + written + "\n"
                + SentEvents.text(body.kind(), writer.bytes(body));
    }

    private void finish(boolean cut) {
        watch.end();
        ending.ended(this, cut);
    }
}
