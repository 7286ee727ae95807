// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.MasterFailure;
import io.quorumlock.redis.RedisFleet.FleetContext;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The current connection of a link, with its pipeline, admission and heartbeat, which end with the connection. */
final class ActiveConnection implements CommandPipeline.Listener {
    private final MasterLink link;
    private final MasterConnection connection;
    private final CommandPipeline pipeline;
    private final MasterAdmission admission;
    private final MasterHeartbeat heartbeat;

    ActiveConnection(
            MasterLink link,
            MasterConnection connection,
            LinkSettings settings,
            EngineContext engineContext,
            FleetContext context) {
        this.link = link;
        this.connection = connection;
        this.pipeline = new CommandPipeline(connection.connection(), settings, engineContext, context.stalls(), this);
        this.admission = new MasterAdmission(link, this, context, engineContext.scheduler());
        this.heartbeat = new MasterHeartbeat(link, this, engineContext.scheduler());
    }

    /** Registers handlers for the end of the connection, and starts admission and heartbeat. */
    void start(Duration admissionTimeout) {
        connection.connection().endHandler(end -> link.lose(this, MasterFailure.DISCONNECTED, Optional.empty()));
        connection.connection().exceptionHandler(cause -> link.lose(this, cause));
        admission.open(admissionTimeout);
        heartbeat.start();
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

    MasterHeartbeat heartbeat() {
        return heartbeat;
    }

    /** Returns whether this is still the connection of its link. */
    boolean isCurrent() {
        return link.isCurrent(this);
    }

    @Override
    public void clockRead(MonotonicTime sent, MonotonicTime received, long micros) {
        link.clockWatch().read(sent, received, micros);
    }

    @Override
    public void batchFailed(MasterFailure reason) {
        if (reason == MasterFailure.NOSCRIPT && link.isConnected()) {
            connection.loadScripts();
        }
    }
}
