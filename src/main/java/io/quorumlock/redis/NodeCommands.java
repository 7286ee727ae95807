// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeListener;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;

/**
 * The sender of commands to one node. Records their results in the node's status and in the metrics. Without a
 * connection, commands fail at once and are not queued for a later connection.
 */
final class NodeCommands {
    private final String alias;
    private final LinkStatus status;
    private final NodeListener listener;
    private final MonotonicClock clock;
    private CommandPipeline pipeline;

    NodeCommands(String alias, LinkStatus status, NodeListener listener, MonotonicClock clock) {
        this.alias = alias;
        this.status = status;
        this.listener = listener;
        this.clock = clock;
    }

    void connected(CommandPipeline newPipeline) {
        pipeline = newPipeline;
    }

    void disconnected() {
        pipeline = null;
    }

    /** Sends a command and measures its latency. */
    void send(String name, Request request, Command.Listener caller) {
        MonotonicTime enqueued = clock.now();
        Command command = new Command(request, enqueued, new Command.Listener() {
            @Override
            public void answered(Response response) {
                Duration elapsed = clock.now().since(enqueued);
                status.measured(elapsed);
                listener.answered(alias, name, elapsed);
                caller.answered(response);
            }

            @Override
            public void failed(NodeFailure reason, boolean sent) {
                recordFailure(reason);
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
    void recordFailure(NodeFailure reason) {
        status.failed(reason);
        listener.failed(alias, reason);
    }

    /** Records a vote. */
    void recordVote() {
        status.voted();
    }

    /** Returns whether the node may vote: it is connected and not in quarantine. */
    boolean mayVote() {
        return status.isUp();
    }

    /** Returns why the node gives no vote. */
    NodeFailure abstention() {
        return status.abstention();
    }
}
