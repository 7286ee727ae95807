package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Asks a connected node for its time, again and again: that finds a connection that is dead though its socket is open, on
 * which the library would wait for ever, and a wall clock that was moved, by which Redis would expire locks.
 */
final class Heartbeat implements Command.Listener {
    /** A wall clock that moves by more than this between two beats was stepped, not slewed. */
    private static final Duration STEP = Duration.ofMillis(50);

    private final NodeLink link;
    private final CommandPipeline pipeline;
    private final Surroundings surroundings;
    private Moment sent;
    /** The node's wall clock less our monotonic clock, at the last beat. */
    private OptionalLong difference = OptionalLong.empty();

    Heartbeat(NodeLink link, CommandPipeline pipeline, Surroundings surroundings) {
        this.link = link;
        this.pipeline = pipeline;
        this.surroundings = surroundings;
    }

    void start() {
        surroundings.scheduler().after(LinkSettings.HEARTBEAT, this::beat);
    }

    private void beat() {
        if (!link.isCurrent(pipeline)) {
            return;
        }
        if (pipeline.silence().compareTo(LinkSettings.LONGEST_SILENCE) > 0) {
            link.lose(pipeline, NodeFailure.TIMEOUT);
            return;
        }
        sent = surroundings.clock().now();
        link.send("time", Request.cmd(io.vertx.redis.client.Command.TIME), this);
        countListeners();
        start();
    }

    /** So that nothing is announced while nobody listens. */
    private void countListeners() {
        Request count = Request.cmd(io.vertx.redis.client.Command.EVALSHA)
                .arg(LuaScript.LISTENERS.sha())
                .arg(0)
                .arg(RedisAnnouncements.CHANNEL);
        link.send(LuaScript.LISTENERS.command(), count, new Command.Listener() {
            @Override
            public void answered(Response response) {
                link.listeners(ScriptReplies.count(response));
            }

            @Override
            public void failed(NodeFailure reason, boolean sent) {
                // It is as it was; the next beat tells.
            }
        });
    }

    @Override
    public void answered(Response time) {
        link.heard();
        Moment received = surroundings.clock().now();
        Duration roundTrip = received.since(sent);
        if (roundTrip.compareTo(STEP) > 0 || time.size() < 2) {
            return;
        }
        long micros = time.get(0).toLong() * 1_000_000 + time.get(1).toLong();
        link.clockOffset(Duration.ofNanos(micros * 1_000)
                .minusMillis(surroundings.wallClock().millis()));
        long now = micros * 1_000 - received.nanos() + roundTrip.toNanos() / 2;
        long moved = difference.isPresent() ? Math.abs(now - difference.getAsLong()) : 0;
        difference = OptionalLong.of(now);
        if (moved > STEP.plus(roundTrip).toNanos()) {
            link.clockStepped(pipeline, Duration.ofNanos(moved));
        }
    }

    @Override
    public void failed(NodeFailure reason, boolean sent) {
        // The silence of the pipeline decides, not one late heartbeat.
    }
}
