package io.quorumlock.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Keeps a number of keep-alive connections busy from one thread, one request in flight on each. */
final class HttpLoop implements Part {
    private static final int PATIENCE_MS = 10_000;

    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();

    /** Is one operation: one or more requests, each made of the answer before it. */
    interface Dialogue {
        String first();

        /** Makes the next request, or null where the operation has ended. */
        String next(HttpAnswer answer);

        boolean succeeded();
    }

    HttpLoop(InetSocketAddress address, int count, Supplier<Dialogue> dialogues) throws IOException {
        for (int i = 0; i < count; i++) {
            connections.add(new Connection(address, dialogues.get()));
        }
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        long begin = System.nanoTime();
        long end = begin + duration.toNanos();
        int busy = 0;
        for (Connection connection : connections) {
            connection.latencies = new Latencies();
            connection.failed = 0;
            connection.begin();
            busy++;
        }
        while (busy > 0) {
            if (selector.select(PATIENCE_MS) == 0) {
                throw new IOException("no answer for " + PATIENCE_MS + " ms");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                Connection connection = (Connection) key.attachment();
                if (connection.read() && !connection.proceed(end)) {
                    busy--;
                }
            }
            selector.selectedKeys().clear();
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        long failed = connections.stream().mapToLong(one -> one.failed).sum();
        return Sample.of(
                Latencies.merge(connections.stream().map(one -> one.latencies).toList()), failed, elapsed);
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
        private final Dialogue dialogue;
        private final ByteBuffer input = ByteBuffer.allocate(64 * 1024);
        private Latencies latencies;
        private long failed;
        private long began;

        Connection(InetSocketAddress address, Dialogue dialogue) throws IOException {
            this.dialogue = dialogue;
            channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void begin() throws IOException {
            began = System.nanoTime();
            write(dialogue.first());
        }

        private void write(String request) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) { // far smaller than a socket's buffer
                channel.write(bytes);
            }
        }

        /** Says whether the whole answer is there. */
        boolean read() throws IOException {
            if (channel.read(input) < 0) {
                throw new EOFException("the service closed a connection");
            }
            return HttpAnswer.isWhole(input);
        }

        /** Goes on with the operation or begins the next one; says whether it did. */
        boolean proceed(long end) throws IOException {
            HttpAnswer answer = HttpAnswer.take(input);
            String request = dialogue.next(answer);
            if (request != null) {
                write(request);
                return true;
            }
            long now = System.nanoTime();
            if (dialogue.succeeded()) {
                latencies.add(now - began);
            } else {
                failed++;
            }
            if (now - end < 0) {
                begin();
                return true;
            }
            return false;
        }
    }
}
