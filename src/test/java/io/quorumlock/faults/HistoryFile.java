// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A reader of files of a {@link HistoryWriter}. It rejects empty, truncated and damaged files completely. */
final class HistoryFile {
    private static final ObjectReader JSON = HistoryLine.JSON.readerFor(HistoryLine.class);

    private final Path file;
    private long lines;
    private boolean ended;

    /** The reason why a file cannot be read. */
    static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String message) {
            super(message);
        }
    }

    private HistoryFile(Path file) {
        this.file = file;
    }

    /** Passes every line except the end to {@code reader}. */
    static void read(Path file, Consumer<HistoryLine> reader) {
        new HistoryFile(file).readAll(reader);
    }

    private void readAll(Consumer<HistoryLine> reader) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(line, reader);
            }
        } catch (NoSuchFileException e) {
            throw new Unreadable(file + " does not exist");
        } catch (MalformedInputException e) {
            throw new Unreadable(file + " is not text");
        } catch (IOException e) {
            throw new Unreadable(file + " cannot be read: " + e.getMessage());
        }
        if (lines == 0 && !ended) {
            throw new Unreadable(file + " is empty");
        }
        if (!ended) {
            throw new Unreadable(file + " is truncated: it has no end after line " + lines);
        }
    }

    private void take(String text, Consumer<HistoryLine> reader) {
        HistoryLine line = parse(text);
        if (ended) {
            throw new Unreadable(file + " continues after its end in line " + (lines + 1));
        }
        if (line instanceof HistoryLine.End end) {
            ended = true;
            if (end.lines() != lines) {
                throw new Unreadable(file + " misses lines: it has " + lines + ", " + end.lines() + " were written");
            }
        } else {
            lines++;
            reader.accept(line);
        }
    }

    private HistoryLine parse(String text) {
        try {
            return JSON.readValue(text);
        } catch (JsonProcessingException e) {
            throw new Unreadable(
                    file + " line " + (lines + 1) + " is not a line of a history: " + e.getOriginalMessage());
        }
    }
}
