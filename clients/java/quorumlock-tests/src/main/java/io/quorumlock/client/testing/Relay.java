// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client.testing;

import io.quorumlock.client.QuorumlockClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A TCP relay to the service that {@code QUORUMLOCK_URL} names, for tests of a service that is away, hangs or
 * restarts. It ends after the test, as its clients do.
 */
public final class Relay implements AfterEachCallback {
    private final URI service = URI.create(System.getenv().getOrDefault("QUORUMLOCK_URL", "http://localhost:8080"));
    private final List<QuorumlockClient> clients = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ServerSocket server;
    private Thread accepting;

    /** Creates a relay that accepts connections. */
    public Relay() {
        listen(0, true);
    }

    /** Returns the URL of the relay. */
    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns a client of the service, by this relay. */
    public QuorumlockClient client() {
        QuorumlockClient client = QuorumlockClient.builder().url(url()).build();
        clients.add(client);
        return client;
    }

    /** Closes all connections, and refuses new ones. */
    public void stop() {
        try {
            server.close();
            accepting.join(); // frees the port
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Closes all connections, and accepts new ones, which get no answer. */
    public void hang() {
        stop();
        listen(server.getLocalPort(), false);
    }

    /** Accepts connections again, at the same port. */
    public void restart() {
        stop();
        listen(server.getLocalPort(), true);
    }

    /** Waits until nobody holds the lock at the service, although the relay may be stopped. */
    public static void awaitFree(String name) {
        Duration longest = Duration.ofSeconds(60);
        try (QuorumlockClient direct = QuorumlockClient.fromEnvironment()) {
            direct.tryLock(name, longest, longest).orElseThrow().close();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        clients.forEach(QuorumlockClient::close);
        stop();
    }

    private void listen(int port, boolean answers) {
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServerSocket listening = server;
        accepting = run(() -> {
            while (true) {
                Socket client = listening.accept();
                open.add(client);
                if (answers) {
                    Socket replica = new Socket(service.getHost(), service.getPort());
                    open.add(replica);
                    run(() -> copy(client, replica));
                    run(() -> copy(replica, client));
                }
            }
        });
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        }
    }

    private static Thread run(Connection connection) {
        Thread thread = new Thread(() -> {
            try {
                connection.run();
            } catch (IOException e) {
                // The connection is closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Connection {
        void run() throws IOException;
    }
}
