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
    private volatile boolean refusing;

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

    public int port() {
        return port;
    }

    /** Closes all connections, and returns their number. */
    public synchronized int disconnect() {
        int open = clients.size();
        List.copyOf(clients).forEach(NetSocket::close);
        clients.clear();
        return open;
    }

    /** Drops all further data of the present connections, which stay open, and returns their number. */
    public synchronized int silence() {
        silent.addAll(clients);
        return clients.size();
    }

    /** Sets whether new connections are closed at once. */
    public void refuse(boolean refused) {
        refusing = refused;
    }

    private synchronized void forward(NetSocket client) {
        if (refusing) {
            client.close();
            return;
        }
        clients.add(client);
        client.pause();
        vertx.createNetClient()
                .connect(server.getPort(), server.getHost())
                .onFailure(cause -> client.close())
                .onSuccess(master -> {
                    client.exceptionHandler(broken -> client.close());
                    master.exceptionHandler(broken -> client.close());
                    client.closeHandler(closed -> {
                        master.close();
                        remove(client);
                    });
                    master.closeHandler(closed -> client.close());
                    master.handler(data -> pass(data, client, client));
                    client.handler(data -> pass(data, client, master));
                    client.resume();
                });
    }

    private synchronized void remove(NetSocket client) {
        clients.remove(client);
        silent.remove(client);
    }

    private void pass(Buffer data, NetSocket client, NetSocket receiver) {
        if (!silent.contains(client)) {
            receiver.write(data);
        }
    }
}
