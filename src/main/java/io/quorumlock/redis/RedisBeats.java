package io.quorumlock.redis;

import io.quorumlock.lock.Beat;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Beats;
import io.quorumlock.time.Surroundings;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Carries beats over the nodes: published on all of them, on a channel of the session's own, and heard from any. A node says
 * how many heard it. The connections that listen are opened when they are first needed, and kept.
 */
public final class RedisBeats implements Beats {
    private final RedisFleet fleet;
    private final KeyPrefixes keys;
    private final Surroundings surroundings;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Map<String, Runnable> watched = new HashMap<>();

    public RedisBeats(
            RedisFleet fleet,
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            Surroundings surroundings) {
        this.fleet = fleet;
        this.keys = keys;
        this.surroundings = surroundings;
        for (NodeAddress address : addresses) {
            Dialer dialer = new Dialer(vertx, surroundings.scheduler(), address, settings);
            subscriptions.add(new Subscription(dialer, settings, surroundings, new Subscription.Channels() {
                @Override
                public Set<String> wanted() {
                    return watched.keySet();
                }

                @Override
                public void heard(String channel, byte[] message) {
                    hear(channel, message);
                }
            }));
        }
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        String channel = keys.beatsOf(resource, token);
        watched.put(channel, beat);
        subscriptions.forEach(subscription -> subscription.add(channel));
        return () -> {
            watched.remove(channel);
            subscriptions.forEach(subscription -> subscription.remove(channel));
        };
    }

    /** That listening begins is no beat. */
    private void hear(String channel, byte[] message) {
        Runnable beat = watched.get(channel);
        if (beat != null && message.length > 0) {
            beat.run();
        }
    }

    @Override
    public CompletableFuture<Beat> send(ResourceName resource, LeaseToken token) {
        List<NodeLink> links = fleet.links();
        Echo echo = new Echo(links.size(), fleet.quorum());
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
        return CompletableFuture.runAsync(() -> subscriptions.forEach(Subscription::close), surroundings.loop());
    }
}
