// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A parser of the Redis protocol, versions 2 and 3, that reads one command or reply at a time. */
final class RespFrames {
    private static final int BUFFER = 65_536;

    private final InputStream in;
    private ByteArrayOutputStream frame = new ByteArrayOutputStream();
    private List<String> words = new ArrayList<>();

    /** A command or reply, with its bytes and its strings. */
    record Frame(byte[] bytes, List<String> words) {}

    RespFrames(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER);
    }

    /** Reads the next frame. Fails with an {@link EOFException} at the end of the stream. */
    Frame next() throws IOException {
        frame = new ByteArrayOutputStream();
        words = new ArrayList<>();
        element();
        return new Frame(frame.toByteArray(), words);
    }

    /** Returns whether more data have arrived already. */
    boolean hasMore() throws IOException {
        return in.available() > 0;
    }

    private void element() throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '$', '=', '!' -> bulk(Integer.parseInt(rest));
            case '*', '~', '>' -> elements(Integer.parseInt(rest));
            case '%', '|' -> elements(2 * Integer.parseInt(rest));
            default -> words.add(rest);
        }
        if (line.charAt(0) == '|') {
            element(); // an attribute precedes its value
        }
    }

    private void elements(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            element();
        }
    }

    private void bulk(int length) throws IOException {
        if (length < 0) {
            return;
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException();
        }
        frame.write(bytes);
        words.add(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            frame.write(b);
            line.append((char) b);
        }
        frame.write('\n');
        return line.substring(0, line.length() - 1);
    }
}
