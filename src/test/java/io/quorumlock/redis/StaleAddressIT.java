package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** L3: an address leads to the server of another node for too long, and is correct again. Open connections stay open. */
class StaleAddressIT {
    private static final Duration QUARANTINE = Duration.ofSeconds(2);
    private static final Duration LATER = Duration.ofSeconds(30);
    private static final URI NOWHERE = URI.create("redis://127.0.0.1:1");

    private final Vertx vertx = Vertx.vertx();
    private final List<RedisServer> servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");

    @AfterEach
    void stop() {
        RealLoop.await(vertx.close().toCompletionStage().toCompletableFuture());
        RedisServers.close(servers);
    }

    @Test
    void allNodesVoteAgain() {
        Forwarder first = new Forwarder(servers.get(0).url());
        Forwarder second = new Forwarder(servers.get(1).url());
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            assertEquals(3, fleet.fleet.up());
            second.forwardTo(NOWHERE);
            second.disconnect();
            Eventually.within(LATER, "down", () -> fleet.fleet.up() == 2);
            first.forwardTo(servers.get(1).url());
            first.disconnect();
            Eventually.within(LATER, "down", () -> fleet.fleet.up() == 1);
            Eventually.within(LATER, "taken for a copy, and its quarantine is over", () -> fleet.fleet.up() == 2);
            first.forwardTo(servers.get(0).url());
            second.forwardTo(servers.get(1).url());
            Eventually.within(LATER, "all vote", () -> fleet.fleet.up() == 3);
        }
    }

    /** The address of node 2 is correct again first, that of node 1 five seconds later. */
    @Test
    void allNodesVoteAgainAfterAddressesAreCorrectedOneByOne() {
        Forwarder first = new Forwarder(servers.get(0).url());
        Forwarder second = new Forwarder(servers.get(1).url());
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            Eventually.within(LATER, "up", () -> fleet.fleet.up() == 3);
            second.forwardTo(NOWHERE);
            second.disconnect();
            Eventually.within(LATER, "down", () -> fleet.fleet.up() == 2);
            first.forwardTo(servers.get(1).url());
            first.disconnect();
            Eventually.within(LATER, "down", () -> fleet.fleet.up() == 1);
            Eventually.within(LATER, "taken for a copy, and its quarantine is over", () -> fleet.fleet.up() == 2);
            second.forwardTo(servers.get(1).url());
            try {
                Thread.sleep(5_000);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            first.forwardTo(servers.get(0).url());
            Eventually.within(LATER, "all vote", () -> fleet.fleet.up() == 3);
        }
    }

    /** An address whose server can change for new connections. */
    private final class Forwarder {
        private final List<NetSocket> clients = new ArrayList<>();
        private final int port;
        private volatile URI server;

        Forwarder(URI server) {
            this.server = server;
            this.port = RealLoop.await(vertx.createNetServer()
                            .connectHandler(this::forward)
                            .listen(0, "127.0.0.1")
                            .toCompletionStage()
                            .toCompletableFuture())
                    .actualPort();
        }

        URI url() {
            return URI.create("redis://127.0.0.1:" + port);
        }

        void forwardTo(URI other) {
            server = other;
        }

        synchronized void disconnect() {
            clients.forEach(NetSocket::close);
            clients.clear();
        }

        private synchronized void forward(NetSocket client) {
            clients.add(client);
            client.pause();
            vertx.createNetClient()
                    .connect(server.getPort(), server.getHost())
                    .onFailure(cause -> client.close())
                    .onSuccess(master -> {
                        client.closeHandler(closed -> master.close());
                        master.closeHandler(closed -> client.close());
                        master.handler(client::write);
                        client.handler(master::write);
                        client.resume();
                    });
        }
    }
}
