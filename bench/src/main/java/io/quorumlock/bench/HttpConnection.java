// SPDX-License-Identifier: Apache-2.0
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
import java.util.Locale;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** A keep-alive connection with one request in flight, and the operation that uses it. Not thread-safe. */
final class HttpConnection implements AutoCloseable {
    /** Far larger than any response. */
    private static final int BUFFER = 8 * 1024;

    private final SocketChannel channel;
    private final HttpOperation operation;
    private final Histogram latencies;
    private final ByteBuffer input = ByteBuffer.allocate(BUFFER);
    private long failed;
    private long began;
    private String delayedRequest;
    private long due;

    HttpConnection(InetSocketAddress address, Selector selector, HttpOperation operation, Histogram latencies)
            throws IOException {
        this.operation = operation;
        this.latencies = latencies;
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Returns the number of failed operations. */
    long failed() {
        return failed;
    }

    /** Begins an operation. Its latency counts from {@code from}, which can be in the past. */
    void begin(long from) throws IOException {
        began = from;
        send(operation.first());
    }

    private void send(String request) throws IOException {
        if (operation.pauseNanos() == 0) {
            write(request);
        } else {
            delayedRequest = request;
            due = System.nanoTime() + operation.pauseNanos();
        }
    }

    /** Sends the delayed request if it is due. Returns the remaining nanoseconds if it is not due yet. */
    OptionalLong sendIfDue(long now) throws IOException {
        if (delayedRequest == null) {
            return OptionalLong.empty();
        }
        if (due - now > 0) {
            return OptionalLong.of(due - now);
        }
        String request = delayedRequest;
        delayedRequest = null;
        write(request);
        return OptionalLong.empty();
    }

    private void write(String request) throws IOException {
        operation.onSend();
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) { // far smaller than a socket's buffer
            channel.write(bytes);
        }
    }

    /** Reads the available bytes and continues the operation. Returns whether the operation ended. */
    boolean proceed() throws IOException {
        if (channel.read(input) < 0) {
            throw new EOFException("the service closed a connection");
        }
        if (!Response.isComplete(input)) {
            return false;
        }
        String request = operation.next(Response.take(input));
        if (request != null) {
            send(request);
            return false;
        }
        if (operation.succeeded()) {
            latencies.recordValue(operation.latency(System.nanoTime() - began));
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

    /** A response with a Content-Length or without a body. Chunked responses are not supported. */
    record Response(int status, String body) {
        private static final String LENGTH = "\r\ncontent-length:";

        /** Returns whether the buffer, which is in write mode, contains a complete response. */
        static boolean isComplete(ByteBuffer input) {
            int head = headLength(input);
            return head > 0 && input.position() >= head + bodyLength(input, head);
        }

        /** Removes the only response from the buffer. */
        static Response take(ByteBuffer input) {
            int head = headLength(input);
            int body = bodyLength(input, head);
            int status = Integer.parseInt(text(input, 9, 3));
            Response response = new Response(status, text(input, head, body));
            if (input.position() != head + body) {
                throw new IllegalStateException("more than one response: " + text(input, 0, input.position()));
            }
            input.clear();
            return response;
        }

        /** Returns the token of a lease. */
        String token() {
            String field = "\"token\":\"";
            int begin = body.indexOf(field) + field.length();
            return body.substring(begin, body.indexOf('"', begin));
        }

        private static int headLength(ByteBuffer input) {
            byte[] bytes = input.array();
            for (int i = 3; i < input.position(); i++) {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                    return i + 1;
                }
            }
            return 0;
        }

        private static int bodyLength(ByteBuffer input, int head) {
            String headers = text(input, 0, head).toLowerCase(Locale.ROOT);
            int begin = headers.indexOf(LENGTH);
            if (begin < 0) {
                if (headers.contains("\r\ntransfer-encoding:")) {
                    throw new IllegalStateException("a chunked response: " + headers);
                }
                return 0;
            }
            int end = headers.indexOf('\r', begin + LENGTH.length());
            return Integer.parseInt(
                    headers.substring(begin + LENGTH.length(), end).strip());
        }

        private static String text(ByteBuffer input, int begin, int length) {
            return new String(input.array(), begin, length, StandardCharsets.ISO_8859_1);
        }
    }
}
