// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.quorumlock.history.Call;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A writer of a history as lines of JSON. Only a closed history has an end line. */
public final class HistoryWriter implements AutoCloseable {
    private static final ObjectWriter JSON = HistoryLine.JSON.writerFor(HistoryLine.class);

    private final String process;
    private final BufferedWriter out;
    private long lines;

    HistoryWriter(String process, Path file) {
        this.process = process;
        try {
            out = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a complete history of calls. */
    public static void write(Path file, List<Call> calls) {
        try (HistoryWriter history = new HistoryWriter("all", file)) {
            calls.stream().map(HistoryLine.Called::new).forEach(history::write);
        }
    }

    void write(HistoryLine line) {
        try {
            add(JSON.writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized void add(String line) {
        try {
            out.write(line + "\n");
            lines++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        write(new HistoryLine.End(process, lines));
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
