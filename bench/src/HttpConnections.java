package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Is a number of connections that one thread looks after. */
final class HttpConnections implements AutoCloseable {
    private final List<InetSocketAddress> addresses;
    private final int count;
    private final Supplier<Dialogue> dialogues;
    private final Selector selector = Selector.open();
    private final List<HttpConnection> all = new ArrayList<>();

    /** Is what to do with a connection that has something to read. */
    @FunctionalInterface
    interface Reader {
        void read(HttpConnection connection) throws IOException;
    }

    HttpConnections(InetSocketAddress address, int count, Supplier<Dialogue> dialogues) throws IOException {
        this(List.of(address), count, dialogues);
    }

    /** @param addresses are taken by turns */
    HttpConnections(List<InetSocketAddress> addresses, int count, Supplier<Dialogue> dialogues) throws IOException {
        this.addresses = addresses;
        this.count = count;
        this.dialogues = dialogues;
    }

    /** Opens all of them anew: the service closes what was idle while other parts had their turn. */
    void open() throws IOException {
        all.forEach(HttpConnection::close);
        all.clear();
        selector.selectNow(); // forgets the closed ones
        try {
            for (int i = 0; i < count; i++) {
                all.add(new HttpConnection(addresses.get(i % addresses.size()), selector, dialogues.get()));
            }
        } catch (IOException e) {
            throw new IOException("only " + all.size() + " of " + count + " connections: " + e.getMessage(), e);
        }
    }

    List<HttpConnection> all() {
        return all;
    }

    /** Waits until something can be read, and has it read; gives up after the patience, and says so. */
    boolean await(Duration patience, Reader reader) throws IOException {
        if (selector.select(Math.max(1, patience.toMillis())) == 0) {
            return false;
        }
        read(reader);
        return true;
    }

    /** Sends all that rested until now; says for how long nothing more will be due, at most for so long. */
    Duration sendDue(Duration most) throws IOException {
        long now = System.nanoTime();
        long next = most.toNanos();
        for (HttpConnection connection : all) {
            next = Math.min(next, connection.sendIfDue(now).orElse(next));
        }
        return Duration.ofNanos(next);
    }

    /** Has read what can be read now; says whether there was anything. */
    boolean poll(Reader reader) throws IOException {
        if (selector.selectNow() == 0) {
            return false;
        }
        read(reader);
        return true;
    }

    private void read(Reader reader) throws IOException {
        for (var key : selector.selectedKeys()) {
            reader.read((HttpConnection) key.attachment());
        }
        selector.selectedKeys().clear();
    }

    /** Gathers what all have measured. */
    Sample sample(Duration elapsed) {
        long failed = all.stream().mapToLong(HttpConnection::failed).sum();
        return Sample.of(
                Latencies.merge(all.stream().map(HttpConnection::latencies).toList()), failed, elapsed);
    }

    @Override
    public void close() {
        try {
            all.forEach(HttpConnection::close);
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
