// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.time.Duration;
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
    private volatile long delayMillis;

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

    /** Delays all requests from now on, as a longer way does. */
    public void delay(Duration longer) {
        delayMillis = longer.toMillis();
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
                    client.handler(data -> later(() -> pass(data, client, master)));
                    client.resume();
                });
    }

    private void later(Runnable passing) {
        if (delayMillis == 0) {
            passing.run();
        } else {
            vertx.setTimer(delayMillis, due -> passing.run());
        }
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
