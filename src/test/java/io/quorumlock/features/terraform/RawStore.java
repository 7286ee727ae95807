// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.testing.ReservedPort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A store of states that answers each request with the same text, valid or not, and then closes the connection. */
final class RawStore implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    private final ServerSocket server;
    private final String answer;
    private final CountDownLatch permission;
    final List<String> requests = new CopyOnWriteArrayList<>();
    /** The number of connections that the client closed, too. */
    final AtomicInteger ended = new AtomicInteger();

    RawStore(int port, String answer) {
        this(port, answer, new CountDownLatch(0));
    }

    /** @param permission before which it does not answer */
    RawStore(int port, String answer, CountDownLatch permission) {
        this.answer = answer;
        this.permission = permission;
        server = ReservedPort.listen(() -> new ServerSocket(port, 0, InetAddress.getLoopbackAddress()));
        start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "raw store");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test ended.
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream input = new BufferedInputStream(client.getInputStream());
            String head = head(input);
            if (head.isEmpty()) {
                return;
            }
            Matcher length = LENGTH.matcher(head);
            byte[] body = input.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            requests.add(head + new String(body, StandardCharsets.ISO_8859_1));
            permission.await();
            client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            client.shutdownOutput();
            input.readAllBytes();
        } catch (IOException reset) {
            // The client closed the connection.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            ended.incrementAndGet();
        }
    }

    private static String head(InputStream input) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = input.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
