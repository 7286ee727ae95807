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

/** Stands between a client and the service, and takes all that is written though nobody gets it any more, as proxies do. */
final class HoldingProxy implements AutoCloseable {
    private static final int BUFFER = 8_192;

    private final URI service;
    private final ServerSocket door;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean holding;

    HoldingProxy(URI service) {
        this.service = service;
        try {
            door = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + door.getLocalPort());
    }

    /** Passes nothing on from now on, neither bytes nor the end of a connection. */
    void hold() {
        holding = true;
    }

    private void acceptAll() {
        try {
            while (!door.isClosed()) {
                Socket client = door.accept();
                Socket server = new Socket(service.getHost(), service.getPort());
                sockets.add(client);
                sockets.add(server);
                start(() -> carry(client, server));
                start(() -> carry(server, client));
            }
        } catch (IOException closed) {
            // So it ends.
        }
    }

    private void carry(Socket from, Socket to) {
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
            // The other side learns of it below, unless all is held.
        }
        if (!holding) {
            close(to);
        }
    }

    @Override
    public void close() {
        sockets.forEach(HoldingProxy::close);
        try {
            door.close();
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
