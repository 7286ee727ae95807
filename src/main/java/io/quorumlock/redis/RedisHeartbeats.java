package io.quorumlock.redis;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.BeatOutcome;
import io.quorumlock.session.Heartbeats;
import io.quorumlock.time.EngineContext;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Carries beats over the nodes: published on all of them, on a channel of the session's own, and heard from any. A node says
 * how many heard it.
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
        return subscriptions.listen(keys.beatsOf(resource, token), (node, message) -> {
            // That listening begins is no beat.
            if (message.length > 0) {
                beat.run();
            }
        })::run;
    }

    @Override
    public CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token) {
        List<NodeLink> links = fleet.links();
        BeatReplies echo = new BeatReplies(links.size(), fleet.quorum());
        String channel = keys.beatsOf(resource, token);
        for (NodeLink link : links) {
            Request request = Request.cmd(Command.EVALSHA)
                    .arg(LuaScript.BEAT.sha())
                    .arg(0)
                    .arg(channel);
            link.send(LuaScript.BEAT.command(), request, echo);
        }
        return echo.answer();
    }

    /** Closes all connections that listen, for good. */
    public CompletableFuture<Void> close() {
        return subscriptions.close();
    }
}
