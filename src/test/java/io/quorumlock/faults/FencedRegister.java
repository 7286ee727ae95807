// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resource that the locks protect: one number per lock, read and written with a fencing token. It rejects a token
 * smaller than the largest one seen, and an equal one of another lease. It needs no clock. A write based on an older
 * number than the present one counts as a lost update.
 *
 * <p>A line {@code resource fence lease} reads. With a base appended, it writes the number after the base.
 */
final class FencedRegister implements AutoCloseable {
    static final String REFUSED = "refused";

    private final ServerSocket listening;
    private final Map<String, Entry> entries = new HashMap<>();
    private long writes;
    private long refused;
    private long lost;

    private static final class Entry {
        private long fence;
        private String lease = "";
        private long number;

        private boolean admits(long shown, String by) {
            boolean same = shown == fence && lease.equals(by);
            if (shown > fence) {
                fence = shown;
                lease = by;
            }
            return same || fence == shown && lease.equals(by);
        }
    }

    FencedRegister() {
        try {
            listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    int port() {
        return listening.getLocalPort();
    }

    synchronized long writes() {
        return writes;
    }

    synchronized long refusals() {
        return refused;
    }

    synchronized long lostUpdates() {
        return lost;
    }

    /** Answers one line. */
    synchronized String answer(List<String> words) {
        Entry entry = entries.computeIfAbsent(words.get(0), any -> new Entry());
        if (!entry.admits(Long.parseLong(words.get(1)), words.get(2))) {
            refused++;
            return REFUSED;
        }
        if (words.size() > 3) {
            long base = Long.parseLong(words.get(3));
            writes++;
            lost += base == entry.number ? 0 : 1;
            entry.number = base + 1;
        }
        return Long.toString(entry.number);
    }

    private void acceptAll() throws IOException {
        while (!listening.isClosed()) {
            Socket socket = listening.accept();
            start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(List.of(line.split(" "))));
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "register");
        thread.setDaemon(true);
        thread.start();
    }
}
