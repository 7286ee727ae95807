// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** A client that reads a stream of events line by line. */
public final class EventReader implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader lines;

    /** Opens a stream with GET. The socket has a small receive buffer. */
    public EventReader(URI service, String target) {
        this(service, "GET", target, "");
    }

    /** Opens a stream with GET and further headers, each terminated by CRLF. */
    public EventReader(URI service, String target, String headers) {
        this(service, "GET", target, headers);
    }

    /** Opens a stream with POST. */
    public static EventReader post(URI service, String target) {
        return new EventReader(service, "POST", target, "");
    }

    private EventReader(URI service, String method, String target, String headers) {
        try {
            socket = new Socket();
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
            socket.setSoTimeout((int) Eventually.LONGEST.toMillis());
            socket.getOutputStream()
                    .write((method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads lines until one matches. Fails if the stream ends or is silent for too long. */
    public String next(Predicate<String> wanted) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (wanted.test(line)) {
                    return line;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("the stream ended");
    }

    /** Reads lines until an event of this type, and returns its data. */
    public String data(String event) {
        nextStarting("event: " + event);
        return nextStarting("data: ").substring("data: ".length());
    }

    public String nextStarting(String start) {
        return next(line -> line.startsWith(start));
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
