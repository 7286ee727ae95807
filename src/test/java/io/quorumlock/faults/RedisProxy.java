// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between service and master that understands their protocol and can disturb connections. */
final class RedisProxy implements AutoCloseable {
    private static final int PATIENCE_MS = 2_000;
    private static final int BACKLOG = 50;

    private final InetSocketAddress master;
    private final int port;
    private final Set<Passage> passages = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket listening;
    private volatile Thread acceptor;
    private volatile Mischief mischief = Mischief.none();
    private volatile boolean closed;

    RedisProxy(URI master) {
        this.master = new InetSocketAddress(master.getHost(), master.getPort());
        this.listening = listen(0);
        this.port = listening.getLocalPort();
        this.acceptor = start("proxy", this::acceptAll);
    }

    URI url() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    /** Starts a disturbance. It lasts until {@link #restore}. */
    void disturb(Mischief begun) {
        mischief = begun;
        if (begun.kind() == Mischief.Kind.REFUSE) {
            shut(listening);
            // The kernel accepts connections until the thread that waits for them has left its system call.
            join(acceptor);
            passages.forEach(passage -> {
                begun.affects(Mischief.Kind.REFUSE, "*");
                passage.reset();
            });
        }
    }

    /** Ends the disturbance. */
    void restore() {
        Mischief ended = mischief;
        mischief = Mischief.none();
        ended.end();
        if (ended.kind() == Mischief.Kind.REFUSE) {
            listening = listen(port);
            acceptor = start("proxy", this::acceptAll);
        }
    }

    Mischief mischief() {
        return mischief;
    }

    void forget(Passage passage) {
        passages.remove(passage);
    }

    @Override
    public void close() {
        closed = true;
        mischief.end();
        shut(listening);
        passages.forEach(Passage::reset);
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
            Passage passage = new Passage(this, client, server);
            passages.add(passage);
            start("requests", passage::forwardRequests);
            start("replies", passage::forwardReplies);
        } catch (IOException masterDown) {
            Passage.reset(client);
            Passage.reset(server);
        }
    }

    private static ServerSocket listen(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), BACKLOG);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException("no proxy on port " + port, e);
        }
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
