package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.time.Scheduler;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * The heartbeat of a connection. It detects a dead connection with an open socket, on which the client library would
 * wait for ever. The reply contains the number of event subscribers, so that the scripts publish events only while
 * there are any. Each heartbeat also checks the node's marker and its persistence settings (R9).
 */
final class NodeHeartbeat implements io.quorumlock.redis.Command.Listener {
    private final NodeLink link;
    private final ActiveConnection connection;
    private final Scheduler scheduler;

    NodeHeartbeat(NodeLink link, ActiveConnection connection, Scheduler scheduler) {
        this.link = link;
        this.connection = connection;
        this.scheduler = scheduler;
    }

    /** Starts at once, so that the first clock reading is available early. */
    void start() {
        sendLater();
        send();
    }

    private void sendLater() {
        scheduler.after(LinkSettings.HEARTBEAT, this::tick);
    }

    private void tick() {
        if (!connection.isCurrent()) {
            return;
        }
        if (connection.pipeline().silence().compareTo(LinkSettings.LONGEST_SILENCE) > 0) {
            link.lose(connection, NodeFailure.TIMEOUT);
            return;
        }
        sendLater();
        send();
    }

    /** Sends one heartbeat. */
    void send() {
        Request count = Request.cmd(Command.EVALSHA)
                .arg(LuaScript.LISTENERS.sha())
                .arg(0)
                .arg(RedisAnnouncements.CHANNEL);
        link.commands().send(LuaScript.LISTENERS.command(), count, this);
        connection.admission().check();
    }

    @Override
    public void answered(Response listeners) {
        link.heartbeatAnswered(ScriptReplies.count(listeners));
    }

    @Override
    public void failed(NodeFailure reason, boolean sent) {
        // The silence of the whole pipeline decides, and not one late heartbeat.
    }
}
