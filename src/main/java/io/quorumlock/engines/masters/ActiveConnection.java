// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.engines.redis.Call;
import io.quorumlock.engines.redis.Command;
import io.quorumlock.engines.redis.CommandPipeline;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.RedisAnnouncements;
import io.quorumlock.engines.redis.ScriptOperation;
import io.quorumlock.engines.redis.ScriptReplies;
import io.quorumlock.engines.redis.StallWatch;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The current connection of a link, with its pipeline, admission and heartbeat, which end with the connection.
 *
 * <p>The heartbeat detects a dead connection with an open socket, on which the client library would wait without limit.
 * The reply contains the number of event subscribers: the scripts publish events only if there are some. Each heartbeat
 * also checks the master's marker (R9).
 */
final class ActiveConnection implements CommandPipeline.Listener, Command.Listener {
    private final MasterLink link;
    private final MasterConnection connection;
    private final MasterAdmission admission;
    private final Scheduler scheduler;
    private final CommandPipeline pipeline;

    ActiveConnection(
            MasterLink link,
            MasterConnection connection,
            MasterAdmission admission,
            LinkSettings settings,
            EngineContext engineContext,
            StallWatch stalls) {
        this.link = link;
        this.connection = connection;
        this.admission = admission;
        this.scheduler = engineContext.scheduler();
        this.pipeline = new CommandPipeline(connection.connection(), settings, engineContext, stalls, this);
    }

    /**
     * Registers handlers for the end of the connection, and starts admission and heartbeat. Sends the first heartbeat at
     * once, so that a clock reading is available early.
     */
    void start(Duration admissionTimeout) {
        connection.connection().endHandler(end -> link.lose(connection, ServerFailure.DISCONNECTED, Optional.empty()));
        connection.connection().exceptionHandler(cause -> link.lose(connection, cause));
        admission.open(admissionTimeout);
        scheduler.after(LinkSettings.HEARTBEAT, this::tick);
        sendHeartbeat();
    }

    MasterConnection connection() {
        return connection;
    }

    CommandPipeline pipeline() {
        return pipeline;
    }

    MasterAdmission admission() {
        return admission;
    }

    private void tick() {
        if (!link.isCurrent(connection)) {
            return;
        }
        if (pipeline.silence().compareTo(LinkSettings.LONGEST_SILENCE) > 0) {
            link.lose(connection, ServerFailure.TIMEOUT, Optional.empty());
            return;
        }
        scheduler.after(LinkSettings.HEARTBEAT, this::tick);
        sendHeartbeat();
    }

    /** Sends one heartbeat. */
    void sendHeartbeat() {
        link.send(Call.of(ScriptOperation.LISTENERS, List.of(), List.of(RedisAnnouncements.CHANNEL)), this);
        admission.check();
    }

    @Override
    public void answered(Response listeners) {
        link.heartbeatAnswered(ScriptReplies.count(listeners));
    }

    @Override
    public void failed(ServerFailure reason, boolean sent) {
        // One late heartbeat does not end the connection; the silence of the whole pipeline does.
    }

    @Override
    public void clockRead(MonotonicTime sent, MonotonicTime received, long micros) {
        link.clockWatch().read(sent, received, micros);
    }

    @Override
    public void batchFailed(ServerFailure reason) {
        if (reason == ServerFailure.NOSCRIPT) {
            connection.loadScripts();
        }
    }
}
