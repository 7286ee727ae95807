package io.quorumlock.testing;

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

/**
 * Speaks just enough of Redis' protocol to be taken for a master, and then answers scripts as a test wants: with any bytes,
 * with silence, or by hanging up.
 */
public final class StubRedis implements AutoCloseable {
    public static final String SILENCE = "";
    public static final String HANG_UP = "hang up";
    private static final AtomicInteger STUBS = new AtomicInteger();

    private final ServerSocket listening;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger scripts = new AtomicInteger();
    private volatile String runId = "stub-" + STUBS.incrementAndGet();
    private volatile String facts = "role:master\r\nredis_mode:standalone\r\nredis_version:7.0.15\r\n";
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

    /** Writes what the script of the restart guard answers: admitted once the quarantine is over. */
    public static String admitted(long quarantineMs) {
        return "*6\r\n:1\r\n:" + quarantineMs + "\r\n$2\r\nid\r\n:1\r\n:60000\r\n$0\r\n\r\n";
    }

    public URI url() {
        return URI.create("redis://127.0.0.1:" + listening.getLocalPort());
    }

    /** Answers every script with these bytes; after {@link #SILENCE} a connection says nothing any more. */
    public StubRedis answering(String raw) {
        answer = raw;
        return this;
    }

    /** Answers scripts that have this argument in another way. */
    public StubRedis answeringTo(String argument, String raw) {
        specialAnswer = raw;
        special = argument;
        return this;
    }

    /** Answers questions for its configuration with these bytes. */
    public StubRedis answeringConfig(String raw) {
        config = raw;
        return this;
    }

    /** Steps the wall clock. */
    public void stepClock(Duration by) {
        clockAhead = by;
    }

    /** Answers INFO with these lines besides its run_id. */
    public StubRedis withInfo(String... lines) {
        facts = String.join("\r\n", lines) + "\r\n";
        return this;
    }

    /** Answers the greeting with these bytes. */
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

    /** Counts the scripts that clients ran. */
    public int scripts() {
        return scripts.get();
    }

    @Override
    public void close() {
        disconnectAll();
    }

    /** Breaks all connections and takes no more. */
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
            case "HELLO":
                return hello;
            case "INFO":
                String info = "run_id:" + runId + "\r\n" + facts;
                return "$" + info.length() + "\r\n" + info + "\r\n";
            case "SCRIPT":
                return "$1\r\nx\r\n";
            case "CONFIG":
                return config;
            case "TIME":
                long micros = System.currentTimeMillis() * 1_000 + clockAhead.toNanos() / 1_000;
                return "*2\r\n" + bulk(micros / 1_000_000) + bulk(micros % 1_000_000);
            default:
                if (command.contains("quorumlock:events") && command.size() == 4) {
                    return ":0\r\n"; // Nobody listens.
                }
                scripts.incrementAndGet();
                return command.contains(special) ? specialAnswer : answer;
        }
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

    /** A connection that breaks is what many tests are about; it ends its thread and nothing else. */
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
