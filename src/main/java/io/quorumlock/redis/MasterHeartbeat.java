// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.MasterFailure;
import io.quorumlock.time.Scheduler;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;

/**
 * The heartbeat of a connection. It detects a dead connection with an open socket, on which the client library would
 * wait without limit. The reply contains the number of event subscribers: the scripts publish events only if there are
 * some. Each heartbeat also checks the master's marker (R9).
 */
final class MasterHeartbeat implements io.quorumlock.redis.Command.Listener {
    private final MasterLink link;
    private final ActiveConnection connection;
    private final Scheduler scheduler;

    MasterHeartbeat(MasterLink link, ActiveConnection connection, Scheduler scheduler) {
        this.link = link;
        this.connection = connection;
        this.scheduler = scheduler;
    }

    /** Sends the first heartbeat at once, so that a clock reading is available early. */
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
            link.lose(connection, MasterFailure.TIMEOUT, Optional.empty());
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
    public void failed(MasterFailure reason, boolean sent) {
        // One late heartbeat does not end the connection; the silence of the whole pipeline does.
    }
}
