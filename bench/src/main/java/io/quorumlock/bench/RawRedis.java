// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Workloads without a client library. They show the limits of the masters. */
final class RawRedis {
    private static final int TIMEOUT_MS = 10_000;
    private static final String TOKEN = "a-token-of-some-160-bits-xx";

    private RawRedis() {}

    /**
     * The scripts of the service on one master, in batches on one connection: a batch of acquires, then a batch of their
     * releases. An acquire and its release count as one operation; a latency is that of both batches.
     */
    static final class Scripts implements Workload {
        private static final int COUNTERS = 1 << 16;
        private static final int TTL_MS = 1_000;

        private final Socket socket;
        private final InputStream replies;
        private final int batch;
        private final String script;

        Scripts(Environment environment, int batch) throws IOException {
            URI master = environment.masters().urls().get(0);
            this.batch = batch;
            try (Masters.Connection connection = Masters.Connection.open(master)) {
                script = connection.send("SCRIPT", "LOAD", BatchScript.source());
            }
            socket = new Socket(master.getHost(), master.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MS);
            replies = new BufferedInputStream(socket.getInputStream());
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            Histogram latencies = Sample.newHistogram();
            long begin = System.nanoTime();
            long now = begin;
            while (now - begin < duration.toNanos()) {
                List<String> names = Stream.generate(Workload::newResource)
                        .distinct()
                        .limit(batch)
                        .toList();
                exchange(names.stream().map(this::acquire).toList());
                exchange(names.stream().map(this::release).toList());
                long next = System.nanoTime();
                latencies.recordValue(next - now);
                now = next;
            }
            return new Sample(latencies.getTotalCount() * batch, 0, latencies, Duration.ofNanos(now - begin));
        }

        private Item acquire(String name) {
            String fence = Long.toString(System.currentTimeMillis() * 1024);
            String counter = "fence:" + Math.floorMod(name.hashCode(), COUNTERS) + "/";
            String value = TOKEN + " attempt 0 " + fence + " " + TTL_MS + " ";
            return new Item(
                    List.of("lock:" + name, counter),
                    List.of("acquire-one", value, Integer.toString(TTL_MS), fence, "0"));
        }

        private Item release(String name) {
            return new Item(List.of("lock:" + name), List.of("release-one", TOKEN + " ", "quorumlock:released:"));
        }

        private record Item(List<String> keys, List<String> arguments) {}

        private String call(List<Item> items) {
            List<String> words = new ArrayList<>(List.of("EVALSHA", script));
            words.add(Integer.toString(
                    items.stream().mapToInt(item -> item.keys().size()).sum()));
            items.forEach(item -> words.addAll(item.keys()));
            items.forEach(item -> words.addAll(item.arguments()));
            return encode(words.toArray(String[]::new));
        }

        private static String encode(String... words) {
            StringBuilder text = new StringBuilder();
            Masters.Connection.encode(text, words);
            return text.toString();
        }

        private void exchange(List<Item> items) throws IOException {
            socket.getOutputStream().write(call(items).getBytes(StandardCharsets.US_ASCII));
            if (batch > 1) {
                line(); // the number of replies
            }
            for (int i = 0; i < batch; i++) {
                expectPositiveNumber();
            }
        }

        private void expectPositiveNumber() throws IOException {
            String line = line();
            if (line.charAt(0) != ':' || line.equals(":0") || line.charAt(1) == '-') {
                throw new IOException("a master refused: " + line);
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = replies.read(); b != '\n'; b = replies.read()) {
                if (b < 0) {
                    throw new EOFException("a master closed the connection");
                }
                line.append((char) b);
            }
            return line.toString().strip();
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

    /**
     * Plain {@code SET NX PX} on all masters, in batches on one connection each. One write on each master counts as one
     * operation; a latency is that of a batch.
     */
    static final class Writes implements Workload {
        private static final String REPLY = "+OK\r\n";

        private final Selector selector = Selector.open();
        private final List<Connection> connections = new ArrayList<>();

        Writes(Environment environment, int batch) throws IOException {
            for (URI url : environment.masters().urls()) {
                connections.add(new Connection(url, selector, batch));
            }
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            Histogram latencies = Sample.newHistogram();
            long begin = System.nanoTime();
            long end = begin + duration.toNanos();
            for (Connection connection : connections) {
                connection.written = 0;
                connection.write();
            }
            int busy = connections.size();
            while (busy > 0) {
                if (selector.select(TIMEOUT_MS) == 0) {
                    throw new IOException("no reply for " + TIMEOUT_MS + " ms");
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (!((Connection) key.attachment()).proceed(end, latencies)) {
                        busy--;
                    }
                }
                selector.selectedKeys().clear();
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
            long written = connections.stream().mapToLong(one -> one.written).sum() / connections.size();
            return new Sample(written, 0, latencies, elapsed);
        }

        @Override
        public void close() {
            try {
                for (Connection connection : connections) {
                    connection.channel.close();
                }
                selector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static final class Connection {
            private final SocketChannel channel;
            private final int batch;
            private final ByteBuffer replies;
            private long written;
            private long began;

            Connection(URI url, Selector selector, int batch) throws IOException {
                this.batch = batch;
                replies = ByteBuffer.allocate(batch * REPLY.length());
                channel = SocketChannel.open(new InetSocketAddress(url.getHost(), url.getPort()));
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, this);
            }

            void write() throws IOException {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < batch; i++) {
                    Masters.Connection.encode(text, "SET", Workload.newResource(), TOKEN, "NX", "PX", "1000");
                }
                began = System.nanoTime();
                ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) { // smaller than a socket's buffer
                    channel.write(bytes);
                }
            }

            /** Reads replies and writes the next batch. Returns whether a batch is in flight. */
            boolean proceed(long end, Histogram latencies) throws IOException {
                if (channel.read(replies) < 0) {
                    throw new EOFException("a master closed the connection");
                }
                if (replies.hasRemaining()) {
                    return true;
                }
                String text = new String(replies.array(), StandardCharsets.US_ASCII);
                if (!text.equals(REPLY.repeat(batch))) {
                    throw new IOException("a master refused: " + text);
                }
                replies.clear();
                written += batch;
                long now = System.nanoTime();
                latencies.recordValue(now - began);
                if (now - end < 0) {
                    write();
                    return true;
                }
                return false;
            }
        }
    }
}
