// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.time.EngineContext;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The transport of client heartbeats between replicas. A heartbeat is published on all nodes, on one channel per
 * session, and received from any of them. Each node returns the number of subscribers.
 */
public final class RedisHeartbeats implements Heartbeats {
    private final RedisFleet fleet;
    private final KeyPrefixes keys;
    private final Subscriptions subscriptions;

    public RedisHeartbeats(
            RedisFleet fleet,
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            EngineContext engineContext) {
        this.fleet = fleet;
        this.keys = keys;
        this.subscriptions = new Subscriptions(addresses, settings, vertx, engineContext);
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        return subscriptions.listen(keys.heartbeatsOf(resource, token), (node, message) -> {
            // An empty message marks the start of the subscription.
            if (message.length > 0) {
                beat.run();
            }
        })::run;
    }

    @Override
    public CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token) {
        List<NodeLink> links = fleet.links();
        Replies replies = new Replies(links.size(), fleet.quorum());
        String channel = keys.heartbeatsOf(resource, token);
        for (NodeLink link : links) {
            Request request = Request.cmd(Command.EVALSHA)
                    .arg(LuaScript.BEAT.sha())
                    .arg(0)
                    .arg(channel);
            link.commands().send(LuaScript.BEAT.command(), request, replies);
        }
        return replies.outcome;
    }

    /**
     * The replies of all nodes to one heartbeat. A quorum must have subscribers, because a node counts a subscriber whose
     * connection is broken until it notices (S1).
     */
    private static final class Replies implements io.quorumlock.redis.Command.Listener {
        private final int nodes;
        private final int quorum;
        private final CompletableFuture<BeatOutcome> outcome = new CompletableFuture<>();
        private int outstanding;
        private int withSubscribers;
        private int withoutSubscribers;

        private Replies(int nodes, int quorum) {
            this.nodes = nodes;
            this.quorum = quorum;
            this.outstanding = nodes;
        }

        @Override
        public void answered(Response response) {
            boolean known = response != null && response.type() == ResponseType.NUMBER && response.toLong() >= 0;
            if (known && response.toLong() > 0) {
                withSubscribers++;
            } else if (known) {
                withoutSubscribers++;
            }
            count();
        }

        @Override
        public void failed(NodeFailure reason, boolean sent) {
            count();
        }

        private void count() {
            outstanding--;
            if (withSubscribers >= quorum) {
                outcome.complete(new BeatOutcome.Heard());
            } else if (outstanding == 0) {
                outcome.complete(
                        withSubscribers == 0 && withoutSubscribers >= quorum
                                ? new BeatOutcome.NoSession()
                                : unconfirmed());
            }
        }

        private BeatOutcome unconfirmed() {
            int answered = withSubscribers + withoutSubscribers;
            return new BeatOutcome.Unconfirmed(
                    new NoQuorumReason(answered, quorum, nodes, NoQuorumReason.Effect.UNKNOWN));
        }
    }

    /** Closes all subscriber connections permanently. */
    public CompletableFuture<Void> close() {
        return subscriptions.close();
    }
}
