package io.quorumlock.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has one master run the service's own scripts in batches on one connection, with no library between: so many acquires, then
 * their releases. One of each counts as one operation; a latency is that of both batches.
 */
final class RawScripts implements Part {
    private static final int PATIENCE_MS = 10_000;
    private static final String TOKEN = "a-token-of-some-160-bits-xx";
    private static final int COUNTERS = 1 << 16;
    private static final int TTL_MS = 1_000;

    private final Socket socket;
    private final InputStream replies;
    private final int depth;
    private final String acquire;
    private final String release;

    RawScripts(Setting setting, int depth) throws IOException {
        URI master = setting.masters().urls().get(0);
        this.depth = depth;
        try (Resp resp = Resp.connect(master)) {
            acquire = resp.ask("SCRIPT", "LOAD", script("acquire"));
            release = resp.ask("SCRIPT", "LOAD", script("release"));
        }
        socket = new Socket(master.getHost(), master.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        replies = new BufferedInputStream(socket.getInputStream());
    }

    private static String script(String name) throws IOException {
        try (InputStream script = RawScripts.class.getResourceAsStream("/redis/" + name + ".lua")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        Latencies latencies = new Latencies();
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < duration.toNanos()) {
            List<String> names = Stream.generate(Names::next).limit(depth).toList();
            exchange(names.stream().map(this::acquire));
            exchange(names.stream().map(this::release));
            long next = System.nanoTime();
            latencies.add(next - now);
            now = next;
        }
        Latencies sorted = Latencies.merge(List.of(latencies));
        return new Sample((long) latencies.count() * depth, 0, sorted, Duration.ofNanos(now - begin));
    }

    private String acquire(String name) {
        String fence = Long.toString(System.currentTimeMillis() * 1024);
        String counter = "fence:" + Math.floorMod(name.hashCode(), COUNTERS) + "/";
        String value = TOKEN + " attempt 0 " + fence + " " + TTL_MS + " ";
        return command("EVALSHA", acquire, "2", "lock:" + name, counter, value, "" + TTL_MS, fence);
    }

    private String release(String name) {
        String channel = "quorumlock:released:lock:" + name;
        return command("EVALSHA", release, "1", "lock:" + name, TOKEN + " ", channel, "", "");
    }

    private static String command(String... words) {
        StringBuilder text = new StringBuilder();
        Resp.command(text, words);
        return text.toString();
    }

    private void exchange(Stream<String> commands) throws IOException {
        StringBuilder batch = new StringBuilder();
        commands.forEach(batch::append);
        socket.getOutputStream().write(batch.toString().getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < depth; i++) {
            expectNumber();
        }
    }

    private void expectNumber() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = replies.read(); b != '\n'; b = replies.read()) {
            if (b < 0) {
                throw new EOFException("a master closed the connection");
            }
            line.append((char) b);
        }
        if (line.charAt(0) != ':' || line.toString().strip().equals(":0") || line.charAt(1) == '-') {
            throw new IOException("a master refused: " + line);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
