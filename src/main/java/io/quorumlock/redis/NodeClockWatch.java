package io.quorumlock.redis;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The doubt about the wall clock of one node (R9): from the reading that shows a step until the node has confirmed its quarantine,
 * whatever becomes of the connection meanwhile.
 */
final class NodeClockWatch implements SuspensionDetector.Clock {
    private final NodeLink link;
    private final LinkStatus status;
    private final LinkLog log;
    private final FleetContext context;
    private final EngineContext engineContext;
    private final NodeClock nodeClock = new NodeClock();
    private Duration offset = Duration.ZERO;
    private boolean doubted;
    /** Whether the node really stepped, and has not yet confirmed its quarantine. */
    private boolean stepped;

    NodeClockWatch(NodeLink link, LinkStatus status, LinkLog log, FleetContext context, EngineContext engineContext) {
        this.link = link;
        this.status = status;
        this.log = log;
        this.context = context;
        this.engineContext = engineContext;
    }

    /** Takes a reading, before the votes that came with it are counted. */
    void read(MonotonicTime sent, MonotonicTime received, long micros) {
        Duration before = offset;
        long ours = engineContext.wallClock().millis();
        offset = Duration.ofMillis(micros / 1_000 - ours);
        status.clockRead(received, micros / 1_000, ours);
        Duration moved = nodeClock.read(sent, received, micros);
        if (moved.isZero()) {
            context.suspensions().steady(this, sent);
            return;
        }
        log.clockStepped(moved);
        if (context.guard().enabled()) {
            doubted = true;
            // At once: the votes that came with this reading are not counted any more.
            status.quarantined(received.plus(context.guard().quarantine()));
            boolean alone = offset.minus(before).abs().multipliedBy(2).compareTo(moved.abs()) > 0;
            context.suspensions().stepped(this, new SuspensionDetector.Step(moved, alone));
        }
    }

    /** Returns the node's wall clock in milliseconds since 1970; empty if it was not read for seconds. */
    OptionalLong wallClock() {
        return status.wallClock();
    }

    boolean isDoubted() {
        return doubted;
    }

    /** Returns whether the node must put itself into quarantine. */
    boolean isStepped() {
        return stepped;
    }

    /** Notes that the node has put itself into quarantine. */
    void confirmed() {
        doubted = false;
        stepped = false;
    }

    @Override
    public void readClock() {
        link.beat();
    }

    @Override
    public void judged(boolean isStep) {
        if (isStep) {
            stepped = true;
            link.clockStepped();
        } else {
            log.ownClockStopped();
            // A doubt from before, which the node has not confirmed, stays.
            doubted = stepped;
            link.beat();
        }
    }
}
