// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.Workload.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** A number of connections that one thread serves. */
final class HttpConnections implements AutoCloseable {
    private final List<InetSocketAddress> addresses;
    private final int count;
    private final Supplier<HttpOperation> operations;
    private final Selector selector = Selector.open();
    private final List<HttpConnection> all = new ArrayList<>();
    private Histogram latencies = Sample.newHistogram();

    /** A handler of readable connections. */
    @FunctionalInterface
    interface Reader {
        void read(HttpConnection connection) throws IOException;
    }

    HttpConnections(InetSocketAddress address, int count, Supplier<HttpOperation> operations) throws IOException {
        this(List.of(address), count, operations);
    }

    /** @param addresses used in turn */
    HttpConnections(List<InetSocketAddress> addresses, int count, Supplier<HttpOperation> operations)
            throws IOException {
        this.addresses = addresses;
        this.count = count;
        this.operations = operations;
    }

    /** Opens all connections again and forgets earlier results. The service closes idle connections between rounds. */
    void open() throws IOException {
        all.forEach(HttpConnection::close);
        all.clear();
        selector.selectNow(); // removes the keys of closed connections
        latencies = Sample.newHistogram();
        for (int i = 0; i < count; i++) {
            openNext();
        }
    }

    /** Opens one more connection. The service closes those that are not used for 75 s. */
    HttpConnection openNext() throws IOException {
        try {
            InetSocketAddress address = addresses.get(all.size() % addresses.size());
            HttpConnection next = new HttpConnection(address, selector, operations.get(), latencies);
            all.add(next);
            return next;
        } catch (IOException e) {
            throw new IOException("only " + all.size() + " of " + count + " connections: " + e.getMessage(), e);
        }
    }

    List<HttpConnection> all() {
        return all;
    }

    /** Waits until a connection is readable and reads. Returns false after the timeout. */
    boolean await(Duration timeout, Reader reader) throws IOException {
        if (selector.select(Math.max(1, timeout.toMillis())) == 0) {
            return false;
        }
        read(reader);
        return true;
    }

    /** Sends all delayed requests that are due. Returns the time until the next one is due, {@code most} at most. */
    Duration sendDue(Duration most) throws IOException {
        long now = System.nanoTime();
        long next = most.toNanos();
        for (HttpConnection connection : all) {
            next = Math.min(next, connection.sendIfDue(now).orElse(next));
        }
        return Duration.ofNanos(next);
    }

    /** Reads from all readable connections without waiting. Returns whether there were any. */
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

    /** Returns the results since {@link #open()}. */
    Sample sample(Duration elapsed) {
        long failed = all.stream().mapToLong(HttpConnection::failed).sum();
        return Sample.of(latencies, failed, elapsed);
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
