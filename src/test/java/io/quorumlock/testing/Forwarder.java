// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An address whose server can change for new connections, and whose connections can break or become silent. */
public final class Forwarder {
    private final Vertx vertx;
    private final List<NetSocket> clients = new ArrayList<>();
    private final Set<NetSocket> silent = ConcurrentHashMap.newKeySet();
    private final int port;
    private volatile URI server;

    public Forwarder(Vertx vertx, URI server) {
        this.vertx = vertx;
        this.server = server;
        this.port = RealLoop.await(vertx.createNetServer()
                        .connectHandler(this::forward)
                        .listen(0, "127.0.0.1")
                        .toCompletionStage()
                        .toCompletableFuture())
                .actualPort();
    }

    public URI url() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    public void forwardTo(URI other) {
        server = other;
    }

    /** Closes all connections. */
    public synchronized void disconnect() {
        clients.forEach(NetSocket::close);
        clients.clear();
    }

    /** Drops all further data of the present connections, which stay open. */
    public synchronized void silence() {
        silent.addAll(clients);
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
                    master.handler(data -> pass(data, client, client));
                    client.handler(data -> pass(data, client, master));
                    client.resume();
                });
    }

    private void pass(Buffer data, NetSocket client, NetSocket receiver) {
        if (!silent.contains(client)) {
            receiver.write(data);
        }
    }
}
