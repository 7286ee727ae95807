// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection that sends raw bytes and reads one answer after the other. Any error of the connection fails the test. */
final class RawConnection implements AutoCloseable {
    private static final int LONGEST_ANSWER_MILLIS = 20_000;
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final Socket socket;

    RawConnection(URI service) {
        try {
            socket = new Socket(service.getHost(), service.getPort());
            socket.setSoTimeout(LONGEST_ANSWER_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(String ascii) {
        write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    void write(byte[] wire) {
        try {
            socket.getOutputStream().write(wire);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads an answer that announces its size. */
    RawAnswer read() {
        try {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            while (!wire.toString(StandardCharsets.US_ASCII).endsWith(END_OF_HEAD)) {
                int next = in.read();
                if (next < 0) {
                    throw new AssertionError("the service closed the connection after: " + wire);
                }
                wire.write(next);
            }
            int length = Integer.parseInt(RawAnswer.parse(wire.toByteArray()).header("Content-Length"));
            wire.writeBytes(in.readNBytes(length));
            return RawAnswer.parse(wire.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isClosedByService() {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
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
