package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.time.Scheduler;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * Asks a connected node something, again and again: that finds a connection that is dead though its socket is open, on which
 * the library would wait for ever. The answer tells how many listen, so that nothing is announced while nobody does. With each goes
 * a check of the node's marker and of how it keeps its data (R9).
 */
final class NodeHeartbeat implements io.quorumlock.redis.Command.Listener {
    private final NodeLink link;
    private final CommandPipeline pipeline;
    private final NodeAdmission admission;
    private final Scheduler scheduler;

    NodeHeartbeat(NodeLink link, CommandPipeline pipeline, NodeAdmission admission, Scheduler scheduler) {
        this.link = link;
        this.pipeline = pipeline;
        this.admission = admission;
        this.scheduler = scheduler;
    }

    /** Begins at once, so that the node's clock is known from the beginning. */
    void start() {
        beatLater();
        ask();
    }

    private void beatLater() {
        scheduler.after(LinkSettings.HEARTBEAT, this::beat);
    }

    private void beat() {
        if (!link.isCurrent(pipeline)) {
            return;
        }
        if (pipeline.silence().compareTo(LinkSettings.LONGEST_SILENCE) > 0) {
            link.lose(pipeline, NodeFailure.TIMEOUT);
            return;
        }
        beatLater();
        ask();
    }

    /** Sends one heartbeat. */
    void ask() {
        Request count = Request.cmd(Command.EVALSHA)
                .arg(LuaScript.LISTENERS.sha())
                .arg(0)
                .arg(RedisAnnouncements.CHANNEL);
        link.send(LuaScript.LISTENERS.command(), count, this);
        admission.check();
    }

    @Override
    public void answered(Response listeners) {
        link.heard(ScriptReplies.count(listeners));
    }

    @Override
    public void failed(NodeFailure reason, boolean sent) {
        // The silence of the pipeline decides, not one late heartbeat.
    }
}
