// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between service and master that understands their protocol and can inject faults into connections. */
final class RedisProxy implements AutoCloseable {
    private static final int PATIENCE_MS = 2_000;
    private static final int BACKLOG = 50;

    private final InetSocketAddress master;
    /** Reserved, because the proxy closes it during some faults. */
    private final int port = FreePorts.find(1).get(0);

    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket listening;
    private volatile Thread acceptor;
    private volatile ConnectionFault fault = ConnectionFault.none();
    private volatile boolean closed;

    RedisProxy(URI master) {
        this.master = new InetSocketAddress(master.getHost(), master.getPort());
        this.listening = listen(port);
        this.acceptor = start("proxy", this::acceptAll);
    }

    URI url() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    /** Starts a fault. It lasts until {@link #heal}. */
    void inject(ConnectionFault begun) {
        fault = begun;
        if (begun.kind() == ConnectionFault.Kind.REFUSE) {
            shut(listening);
            // The kernel accepts connections until the thread that waits for them has left its system call.
            join(acceptor);
            connections.forEach(connection -> {
                begun.affects(ConnectionFault.Kind.REFUSE, Set.of());
                connection.reset();
            });
        }
    }

    /** Ends the fault. */
    void heal() {
        ConnectionFault ended = fault;
        fault = ConnectionFault.none();
        ended.end();
        if (ended.kind() == ConnectionFault.Kind.REFUSE) {
            listening = listen(port);
            acceptor = start("proxy", this::acceptAll);
        }
    }

    ConnectionFault fault() {
        return fault;
    }

    void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }

    @Override
    public void close() {
        closed = true;
        fault.end();
        shut(listening);
        connections.forEach(ProxiedConnection::reset);
    }

    private void acceptAll() {
        ServerSocket socket = listening;
        while (!closed && !socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException refusing) {
                shut(socket);
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            server.connect(master, PATIENCE_MS);
            ProxiedConnection connection = new ProxiedConnection(this, client, server);
            connections.add(connection);
            start("requests", connection::forwardRequests);
            start("replies", connection::forwardReplies);
        } catch (IOException masterDown) {
            ProxiedConnection.reset(client);
            ProxiedConnection.reset(server);
        }
    }

    private static ServerSocket listen(int port) {
        return ReservedPort.listen(() -> new ServerSocket(port, BACKLOG, InetAddress.getByName("127.0.0.1")));
    }

    private static void shut(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
