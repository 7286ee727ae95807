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
import java.util.OptionalLong;

/** Is a keep-alive connection with one request in flight, and the operation that goes on over it; used by one thread. */
final class HttpConnection implements AutoCloseable {
    /** Far more than an answer has. */
    private static final int BUFFER = 8 * 1024;

    private final SocketChannel channel;
    private final Dialogue dialogue;
    private final ByteBuffer input = ByteBuffer.allocate(BUFFER);
    private final Latencies latencies = new Latencies();
    private long failed;
    private long began;
    private String resting;
    private long due;

    HttpConnection(InetSocketAddress address, Selector selector, Dialogue dialogue) throws IOException {
        this.dialogue = dialogue;
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    Latencies latencies() {
        return latencies;
    }

    long failed() {
        return failed;
    }

    /** Begins an operation that counts from then, which may have been a while ago. */
    void begin(long from) throws IOException {
        began = from;
        send(dialogue.first());
    }

    private void send(String request) throws IOException {
        if (dialogue.rest() == 0) {
            write(request);
        } else {
            resting = request;
            due = System.nanoTime() + dialogue.rest();
        }
    }

    /** Sends what was to rest until now; says for how many nanoseconds it still has to, or nothing if nothing rests. */
    OptionalLong sendIfDue(long now) throws IOException {
        if (resting == null) {
            return OptionalLong.empty();
        }
        if (due - now > 0) {
            return OptionalLong.of(due - now);
        }
        String request = resting;
        resting = null;
        write(request);
        return OptionalLong.empty();
    }

    private void write(String request) throws IOException {
        dialogue.sending();
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) { // far smaller than a socket's buffer
            channel.write(bytes);
        }
    }

    /** Reads what there is and goes on with the operation; says whether it ended. */
    boolean proceed() throws IOException {
        if (channel.read(input) < 0) {
            throw new EOFException("the service closed a connection");
        }
        if (!HttpAnswer.isWhole(input)) {
            return false;
        }
        String request = dialogue.next(HttpAnswer.take(input));
        if (request != null) {
            send(request);
            return false;
        }
        if (dialogue.succeeded()) {
            latencies.add(dialogue.counted(System.nanoTime() - began));
        } else {
            failed++;
        }
        return true;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
