// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;

/** A client that sends raw bytes, so that no library corrects the request. */
public final class RawHttp {

    private final String host;
    private final int port;

    public RawHttp(URI service) {
        this.host = service.getHost();
        this.port = service.getPort();
    }

    public RawAnswer send(RawRequest request) {
        return RawAnswer.parse(send(request.wire()));
    }

    /** Reads until the service closes the connection. Fails the test if the service does not answer in time. */
    byte[] send(byte[] wire) {
        try (Socket socket = new Socket(host, port)) {
            socket.setSoTimeout((int) Eventually.LONGEST.toMillis());
            try {
                socket.getOutputStream().write(wire);
            } catch (SocketException closedEarly) {
                // The answer can still be read.
            }
            return socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the service did not answer", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
