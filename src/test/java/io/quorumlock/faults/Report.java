// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The report of a run, for programs and for people. */
final class Report {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Report() {}

    static void write(Path folder, RecordedRun run, Verdict verdict) {
        try {
            JSON.writerWithDefaultPrettyPrinter()
                    .writeValue(folder.resolve("verdict.json").toFile(), verdict);
            Files.writeString(folder.resolve("verdict.txt"), verdict.text());
            Files.writeString(folder.resolve("timeline.html"), new Timeline(run, verdict).html());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
