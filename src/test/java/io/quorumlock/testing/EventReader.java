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

/** Reads a stream of events line by line. */
public final class EventReader implements AutoCloseable {
    private static final int LONGEST_SILENCE_MILLIS = 10_000;

    private final Socket socket;
    private final BufferedReader lines;

    /** Asks for a stream, on a socket that keeps little. */
    public EventReader(URI service, String target) {
        this(service, "GET", target, "");
    }

    /** Asks for a stream with more headers, each of which ends its line. */
    public EventReader(URI service, String target, String headers) {
        this(service, "GET", target, headers);
    }

    /** Posts for a stream. */
    public static EventReader post(URI service, String target) {
        return new EventReader(service, "POST", target, "");
    }

    private EventReader(URI service, String method, String target, String headers) {
        try {
            socket = new Socket();
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
            socket.setSoTimeout(LONGEST_SILENCE_MILLIS);
            socket.getOutputStream()
                    .write((method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads up to a line that is looked for; a stream that ends or says nothing fails the test. */
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

    /** Reads up to an event, and gives its data. */
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
