// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.Call;
import io.quorumlock.engines.redis.Command;
import io.quorumlock.engines.redis.CommandPipeline;
import io.quorumlock.engines.redis.StallWatch;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * The sender of commands to one master. Records their results in the master's status and in the metrics. Without a
 * connection, commands fail at once and are not queued for a later connection.
 */
final class MasterCommands {
    private final String alias;
    private final LinkStatus status;
    private final ServerListener listener;
    private final MonotonicClock clock;
    private final StallWatch stalls;
    private CommandPipeline pipeline;
    private boolean hasEventListeners;

    MasterCommands(String alias, LinkStatus status, ServerListener listener, MonotonicClock clock, StallWatch stalls) {
        this.alias = alias;
        this.status = status;
        this.listener = listener;
        this.clock = clock;
        this.stalls = stalls;
    }

    void connected(CommandPipeline newPipeline) {
        pipeline = newPipeline;
    }

    void disconnected() {
        pipeline = null;
    }

    /** Sends a command and measures its latency. */
    void send(Call call, Command.Listener caller) {
        MonotonicTime enqueued = clock.now();
        Command command = new Command(call, enqueued, new Command.Listener() {
            @Override
            public void answered(Response response) {
                Duration elapsed = clock.now().since(enqueued);
                status.measured(elapsed);
                listener.answered(alias, call.operation().command(), elapsed);
                caller.answered(response);
            }

            @Override
            public void failed(ServerFailure reason, boolean sent) {
                recordFailure(reason, stalls.explain(reason, enqueued));
                caller.failed(reason, sent);
            }
        });
        if (pipeline == null) {
            command.fail(status.abstention());
        } else {
            pipeline.enqueue(command);
        }
    }

    /** Records a command without a vote. */
    void recordFailure(ServerFailure reason) {
        recordFailure(reason, Optional.empty());
    }

    private void recordFailure(ServerFailure reason, Optional<String> why) {
        status.failed(reason, why);
        listener.failed(alias, reason);
    }

    /** Records a vote. */
    void recordVote() {
        status.voted();
    }

    /**
     * Records the answer to a heartbeat.
     *
     * @param listeners number of subscribers to lock events, on all replicas
     */
    void recordHeartbeat(int listeners) {
        status.heartbeatAnswered();
        hasEventListeners = listeners > 0;
    }

    /** Returns whether a replica subscribes to lock events on this master. */
    boolean hasEventListeners() {
        return hasEventListeners;
    }

    /** Returns whether the master may vote: it is connected and not in quarantine. */
    boolean mayVote() {
        return status.mayVote();
    }

    /** Returns why the master gives no vote. */
    ServerFailure abstention() {
        return status.abstention();
    }
}
