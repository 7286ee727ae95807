// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.engines.redis.SentCall;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A stub that implements enough of the Redis protocol to be accepted as a master. It answers scripts as configured:
 * with arbitrary bytes, with silence, or by closing the connection.
 */
public final class StubRedis implements AutoCloseable {
    public static final String SILENCE = "";
    public static final String HANG_UP = "hang up";
    private static final String NO_SUBSCRIBERS = ":0\r\n";
    private static final AtomicInteger STUBS = new AtomicInteger();

    private final ServerSocket listening;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger scripts = new AtomicInteger();
    private volatile String runId = "stub-" + STUBS.incrementAndGet();
    private volatile String info = "role:master\r\nredis_mode:standalone\r\nredis_version:7.0.15\r\n";
    private volatile String config = "*0\r\n";
    private volatile String special = "no argument";
    private volatile String specialAnswer = "";
    private volatile Duration clockAhead = Duration.ZERO;
    private volatile String hello = "*0\r\n";
    private volatile String answer = ":1\r\n";

    public StubRedis() {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    /** Returns the reply of the restart guard's script: admitted after the quarantine. */
    public static String admitted(long quarantineMs) {
        return "*5\r\n:1\r\n:" + quarantineMs + "\r\n:60000\r\n$0\r\n\r\n$0\r\n\r\n";
    }

    public URI url() {
        return URI.create("redis://127.0.0.1:" + listening.getLocalPort());
    }

    /** Sets the reply to every script. After {@link #SILENCE} the connection sends nothing more. */
    public StubRedis answering(String raw) {
        answer = raw;
        return this;
    }

    /** Sets a different reply to scripts that have this argument. */
    public StubRedis answeringTo(String argument, String raw) {
        specialAnswer = raw;
        special = argument;
        return this;
    }

    /** Sets the reply to CONFIG. */
    public StubRedis answeringConfig(String raw) {
        config = raw;
        return this;
    }

    /** Steps the wall clock. */
    public void stepClock(Duration by) {
        clockAhead = by;
    }

    /** Sets the lines of INFO after its run_id. */
    public StubRedis withInfo(String... lines) {
        info = String.join("\r\n", lines) + "\r\n";
        return this;
    }

    /** Sets the reply to HELLO. */
    public StubRedis answeringHello(String raw) {
        hello = raw;
        return this;
    }

    public StubRedis withRunId(String id) {
        runId = id;
        return this;
    }

    public int connections() {
        return connections.get();
    }

    /** Counts the script calls of clients. */
    public int scripts() {
        return scripts.get();
    }

    @Override
    public void close() {
        disconnectAll();
    }

    /** Closes all connections and the listening socket. */
    public void disconnectAll() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void acceptAll() throws IOException {
        while (!listening.isClosed()) {
            Socket socket = listening.accept();
            sockets.add(socket);
            connections.incrementAndGet();
            start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        for (List<String> command = read(in); !command.isEmpty(); command = read(in)) {
            String reply = reply(command);
            if (reply.equals(HANG_UP)) {
                socket.close();
                return;
            }
            if (reply.equals(SILENCE)) {
                in.transferTo(OutputStream.nullOutputStream());
                return;
            }
            out.write(reply.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    private String reply(List<String> command) {
        switch (command.get(0).toUpperCase(java.util.Locale.ROOT)) {
            case "PING":
                return "+PONG\r\n";
            case "HELLO":
                return hello;
            case "INFO":
                String text = "run_id:" + runId + "\r\n" + info;
                return "$" + text.length() + "\r\n" + text + "\r\n";
            case "SCRIPT":
                return "$1\r\nx\r\n";
            case "CONFIG":
                return config;
            case "GET":
                return "$-1\r\n";
            case "TIME":
                long micros = System.currentTimeMillis() * 1_000 + clockAhead.toNanos() / 1_000;
                return "*2\r\n" + bulk(micros / 1_000_000) + bulk(micros % 1_000_000);
            default:
                List<SentCall> calls = SentCall.in(command);
                if (calls.stream().anyMatch(call -> !isHeartbeat(call)) || calls.isEmpty()) {
                    scripts.incrementAndGet();
                }
                String reply = command.contains(special) ? specialAnswer : answer;
                return calls.isEmpty() ? reply : batch(calls, reply);
        }
    }

    private static boolean isHeartbeat(SentCall call) {
        return call.command().equals("listeners");
    }

    /** Returns the reply to a batch: a reply to each call, in a list if there are several. A reply that is an error, or none at all, is that to the batch. */
    private String batch(List<SentCall> calls, String reply) {
        if (calls.stream().allMatch(StubRedis::isHeartbeat)) {
            return size(calls) + NO_SUBSCRIBERS.repeat(calls.size());
        }
        if (reply.isEmpty() || ":+*$".indexOf(reply.charAt(0)) < 0) {
            return reply;
        }
        return size(calls)
                + calls.stream()
                        .map(call -> isHeartbeat(call) ? NO_SUBSCRIBERS : reply)
                        .collect(Collectors.joining());
    }

    private static String size(List<SentCall> calls) {
        return calls.size() == 1 ? "" : "*" + calls.size() + "\r\n";
    }

    private static String bulk(long number) {
        String digits = Long.toString(number);
        return "$" + digits.length() + "\r\n" + digits + "\r\n";
    }

    private static List<String> read(InputStream in) throws IOException {
        String header = line(in);
        List<String> words = new ArrayList<>();
        if (header.startsWith("*")) {
            for (int i = Integer.parseInt(header.substring(1)); i > 0; i--) {
                int length = Integer.parseInt(line(in).substring(1));
                words.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
                line(in);
            }
        }
        return words;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n' && c != -1; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Runs a task on a new thread. Many tests break connections, so an I/O error only ends the thread. */
    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
