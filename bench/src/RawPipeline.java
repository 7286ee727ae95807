package io.quorumlock.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
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

/**
 * Writes plain {@code SET NX PX} to all masters, a batch at a time on one connection each, with no library between: what the
 * masters can do. One write on each master counts as one operation.
 */
final class RawPipeline implements Part {
    private static final int PATIENCE_MS = 10_000;
    private static final String REPLY = "+OK\r\n";

    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();

    RawPipeline(Setting setting, int depth) throws IOException {
        for (URI url : setting.masters().urls()) {
            connections.add(new Connection(url, depth));
        }
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        long begin = System.nanoTime();
        long end = begin + duration.toNanos();
        for (Connection connection : connections) {
            connection.reset();
            connection.write();
        }
        int busy = connections.size();
        while (busy > 0) {
            if (selector.select(PATIENCE_MS) == 0) {
                throw new IOException("no reply for " + PATIENCE_MS + " ms");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (!((Connection) key.attachment()).proceed(end)) {
                    busy--;
                }
            }
            selector.selectedKeys().clear();
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        long written = connections.stream().mapToLong(one -> one.written).sum() / connections.size();
        Latencies batches =
                Latencies.merge(connections.stream().map(one -> one.latencies).toList());
        return new Sample(written, 0, batches, elapsed);
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

    private final class Connection {
        private final SocketChannel channel;
        private final int depth;
        private final ByteBuffer replies;
        private Latencies latencies;
        private long written;
        private long began;

        Connection(URI url, int depth) throws IOException {
            this.depth = depth;
            replies = ByteBuffer.allocate(depth * REPLY.length());
            channel = SocketChannel.open(new InetSocketAddress(url.getHost(), url.getPort()));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void reset() {
            latencies = new Latencies();
            written = 0;
        }

        void write() throws IOException {
            StringBuilder batch = new StringBuilder();
            for (int i = 0; i < depth; i++) {
                Resp.command(batch, "SET", Names.next(), "a-token-of-some-160-bits-xx", "NX", "PX", "1000");
            }
            began = System.nanoTime();
            ByteBuffer bytes = ByteBuffer.wrap(batch.toString().getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) { // smaller than a socket's buffer
                channel.write(bytes);
            }
        }

        /** Reads replies and writes the next batch; says whether there is one under way. */
        boolean proceed(long end) throws IOException {
            if (channel.read(replies) < 0) {
                throw new EOFException("a master closed the connection");
            }
            if (replies.hasRemaining()) {
                return true;
            }
            String text = new String(replies.array(), StandardCharsets.US_ASCII);
            if (!text.equals(REPLY.repeat(depth))) {
                throw new IOException("a master refused: " + text);
            }
            replies.clear();
            written += depth;
            long now = System.nanoTime();
            latencies.add(now - began);
            if (now - end < 0) {
                write();
                return true;
            }
            return false;
        }
    }
}
