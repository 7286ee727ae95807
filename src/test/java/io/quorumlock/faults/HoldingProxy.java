// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between client and service that can stop forwarding. It still accepts data then, as real proxies do. */
final class HoldingProxy implements AutoCloseable {
    private static final int BUFFER = 8_192;

    private final URI service;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean holding;

    HoldingProxy(URI service) {
        this.service = service;
        try {
            listening = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Stops forwarding, both bytes and the end of connections. */
    void hold() {
        holding = true;
    }

    private void acceptAll() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                Socket server = new Socket(service.getHost(), service.getPort());
                sockets.add(client);
                sockets.add(server);
                start(() -> forward(client, server));
                start(() -> forward(server, client));
            }
        } catch (IOException closed) {
            // The proxy was closed.
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!holding) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException broken) {
            // The other connection is closed below, unless the proxy holds.
        }
        if (!holding) {
            close(to);
        }
    }

    @Override
    public void close() {
        sockets.forEach(HoldingProxy::close);
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
