// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A plain HTTP client with one connection to a replica. It never repeats a request and can disconnect at any time. */
final class HttpLine implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String EVENT = "event: ";
    private static final String DATA = "data: ";
    private static final String STREAM = "content-type: text/event-stream";

    private final int port;
    private final Duration patience;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();
    private long connected;

    /** A request. */
    record Request(String method, String path, String token, String body) {
        static Request get(String path) {
            return new Request("GET", path, "", "");
        }

        private byte[] bytes() {
            String header = token.isEmpty() ? "" : "Lock-Token: " + token + "\r\n";
            return (method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "Content-Length: "
                            + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** An answer. Its body is missing if there was none; for a stream it is the first event. */
    record Reply(int status, JsonNode body) {}

    /** An event of a stream. */
    record Event(String name, JsonNode data) {}

    HttpLine(int port, Duration patience) {
        this.port = port;
        this.patience = patience;
    }

    /** Returns when the current connection was made, by {@code System.nanoTime}. */
    long connected() {
        return connected;
    }

    Reply send(Request request) throws IOException {
        try {
            connect();
            socket.getOutputStream().write(request.bytes());
            return reply();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Sends the request and disconnects after a delay, without reading the answer. */
    void abandon(Request request, Duration after) throws IOException {
        connect();
        socket.getOutputStream().write(request.bytes());
        Pause.of(after);
        close();
    }

    /** Reads the next event of a stream that was opened with {@link #send}. */
    Event next() throws IOException {
        try {
            String line = line();
            while (!line.startsWith(EVENT)) {
                line = line();
            }
            return new Event(line.substring(EVENT.length()), JSON.readTree(line().substring(DATA.length())));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void connect() throws IOException {
        if (!socket.isConnected() || socket.isClosed()) {
            connected = System.nanoTime();
            socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            socket.connect(new InetSocketAddress("127.0.0.1", port), (int) patience.toMillis());
            in = new BufferedInputStream(socket.getInputStream());
        }
    }

    private Reply reply() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = 0;
        boolean streamed = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).strip());
            }
            streamed |= header.toLowerCase(Locale.ROOT).startsWith(STREAM);
        }
        if (streamed) {
            return new Reply(status, next().data());
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("closed during an answer");
        }
        return new Reply(status, length == 0 ? MissingNode.getInstance() : JSON.readTree(body));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed without an answer");
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
