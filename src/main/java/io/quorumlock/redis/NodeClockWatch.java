package io.quorumlock.redis;

import io.quorumlock.redis.RedisFleet.FleetContext;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The watch of one node's wall clock (R9). A step makes the node suspected until it has confirmed its quarantine, also
 * on a later connection.
 */
final class NodeClockWatch implements SuspensionDetector.Clock {
    private final NodeLink link;
    private final LinkStatus status;
    private final LinkLog log;
    private final FleetContext context;
    private final EngineContext engineContext;
    private final NodeClock nodeClock = new NodeClock();
    private Duration offset = Duration.ZERO;
    private boolean suspected;
    /** Whether the clock has stepped for certain, and the node has not yet confirmed its quarantine. */
    private boolean stepped;

    NodeClockWatch(NodeLink link, LinkStatus status, LinkLog log, FleetContext context, EngineContext engineContext) {
        this.link = link;
        this.status = status;
        this.log = log;
        this.context = context;
        this.engineContext = engineContext;
    }

    /** Must be called before each heartbeat. */
    void beforeReading() {
        context.suspensions().beforeReading(this);
    }

    /** Processes a reading, before the votes of the same batch are counted. */
    void read(MonotonicTime sent, MonotonicTime received, long micros) {
        Duration before = offset;
        long ours = engineContext.wallClock().millis();
        offset = Duration.ofMillis(micros / 1_000 - ours);
        status.clockRead(received, micros / 1_000, ours);
        NodeClock.Reading reading = nodeClock.read(sent, received, micros);
        Duration delay = received.since(sent).minus(reading.usual());
        if (reading.moved().isZero()) {
            context.suspensions().steady(this, sent, delay);
            return;
        }
        log.clockStepped(reading.moved());
        if (context.guard().enabled()) {
            suspected = true;
            // Immediately, because the votes of the same batch must not count.
            status.quarantined(received.plus(context.guard().quarantine()));
            boolean alone = offset.minus(before)
                            .abs()
                            .multipliedBy(2)
                            .compareTo(reading.moved().abs())
                    > 0;
            context.suspensions()
                    .stepped(
                            this,
                            new SuspensionDetector.Step(
                                    reading.likelyStep(), delay.plus(reading.tolerated()), reading.sinceLast(), alone));
        }
    }

    /** Returns the node's wall clock in milliseconds since 1970; empty if the last reading is too old. */
    OptionalLong wallClock() {
        return status.wallClock();
    }

    boolean isSuspected() {
        return suspected;
    }

    /** Returns whether the node must go into quarantine. */
    boolean isStepped() {
        return stepped;
    }

    /** Notes that the node confirmed its quarantine. */
    void confirmed() {
        suspected = false;
        stepped = false;
    }

    @Override
    public void readClock() {
        link.sendHeartbeat();
    }

    @Override
    public void judged(boolean isStep) {
        if (isStep) {
            stepped = true;
            link.clockStepped();
        } else {
            log.ownClockStopped();
            // An earlier step without a confirmed quarantine remains.
            suspected = stepped;
            link.sendHeartbeat();
        }
    }
}
