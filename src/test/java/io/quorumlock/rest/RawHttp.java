package io.quorumlock.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;

/** Sends bytes and reads the answer: no library is between, so that nothing cleans the request up. */
final class RawHttp {
    private static final int LONGEST_ANSWER_MILLIS = 5_000;

    private final String host;
    private final int port;

    RawHttp(URI service) {
        this.host = service.getHost();
        this.port = service.getPort();
    }

    RawAnswer send(RawRequest request) {
        return RawAnswer.parse(send(request.wire()));
    }

    /** Reads until the service closes the connection; a service that hangs fails the test. */
    byte[] send(byte[] wire) {
        try (Socket socket = new Socket(host, port)) {
            socket.setSoTimeout(LONGEST_ANSWER_MILLIS);
            try {
                socket.getOutputStream().write(wire);
            } catch (SocketException answeredBeforeTheEnd) {
                // What it answered can still be read.
            }
            return socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the service hangs", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
