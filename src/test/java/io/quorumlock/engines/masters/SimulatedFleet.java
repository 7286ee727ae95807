// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.SimulatedServer;
import io.quorumlock.engines.redlock.LockMaster;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** Real links to simulated servers, with pipelines, heartbeats, restart guard and clock watch. */
public final class SimulatedFleet {
    private static final int MOST_MASTERS = 5;
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
    /** Suppresses the log of the links, which has hundreds of lines per simulation. */
    private static final Logger LINKS = Logger.getLogger(LinkLog.class.getName());

    private static final List<MasterAddress> ADDRESSES = IntStream.range(0, MOST_MASTERS)
            .mapToObj(i -> new MasterAddress("redis://master-" + i))
            .toList();

    static {
        LINKS.setLevel(Level.OFF);
    }

    private final RedisFleet fleet;

    /** A connector to one server. */
    public interface Dialer {
        /** Connects and loads the scripts, or fails after the limit. */
        Future<Opened> dial(Duration limit);
    }

    /** A connection with the server's facts at the handshake. */
    public static final class Opened {
        private final MasterConnection connection;

        public Opened(RedisConnection connection, SimulatedServer server, Runnable closer) {
            server.loadScripts();
            this.connection = new MasterConnection(connection, server.facts(), closer);
        }
    }

    public SimulatedFleet(
            List<? extends Dialer> dialers,
            Duration timeout,
            int extensionsMax,
            RestartGuard guard,
            EngineContext engineContext,
            ServerListener events) {
        List<MasterAddress> addresses = ADDRESSES.subList(0, dialers.size());
        LinkSettings link = new LinkSettings(timeout, CONNECT_TIMEOUT, Optional.empty());
        this.fleet = new RedisFleet(
                addresses,
                address -> {
                    Dialer dialer = dialers.get(addresses.indexOf(address));
                    return limit -> dialer.dial(limit).map(opened -> opened.connection);
                },
                new RedisFleet.Settings(link, SimulatedServer.KEYS, extensionsMax, guard),
                engineContext,
                events);
    }

    /** Returns the list of masters of this size, as text. */
    public static String masters(int size) {
        return MasterAddress.list(ADDRESSES.subList(0, size));
    }

    public List<LockMaster> masters() {
        return new ArrayList<>(fleet.lockMasters());
    }

    /** Returns whether the link lets the server vote. */
    public boolean isUp(int server) {
        return fleet.links().get(server).status().mayVote();
    }

    /** Returns whether there is a recent reading of the clock of a server. */
    public boolean hasReadClock(int server) {
        return fleet.links().get(server).clockWatch().wallClock().isPresent();
    }

    /** Connects without waiting for the result. */
    public void open() {
        fleet.links().forEach(MasterLink::open);
    }

    public void close() {
        fleet.links().forEach(MasterLink::close);
    }
}
