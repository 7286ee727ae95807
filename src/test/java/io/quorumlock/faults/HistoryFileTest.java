// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.Calls;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading of stored histories: complete ones are checked again, all others are rejected. */
class HistoryFileTest {
    private static final Calls CALLS = new Calls()
            .acquired("a", 0, 5, 1)
            .ended("b", Operation.ACQUIRE, 10, 15, Outcome.HELD)
            .ended("c", Operation.ACQUIRE, 0, 5, Outcome.LEFT);

    @TempDir
    Path folder;

    private Path file;
    private final StringBuilder output = new StringBuilder();

    @BeforeEach
    void store() {
        file = folder.resolve(RecordedRun.CALLS);
        try (HistoryWriter out = new HistoryWriter("all", file);
                HistoryWriter faults = new HistoryWriter("faults", folder.resolve(RecordedRun.FAULTS))) {
            out.write(new RunHeader(42, 2, 0, 1, 0, 1, Set.of(FaultKind.HOLD)));
            CALLS.list().forEach(call -> out.write(new HistoryLine.Called(call)));
            out.write(new Observation(Promise.N, "locks left", 0, 0));
            faults.write(new FaultRecord(1, FaultKind.HOLD, "master-1", "*", 0, 1, 2, 3, "seen"));
        }
    }

    @Test
    void checksCompleteHistory() {
        assertEquals(0, recheck(), output::toString);
        assertTrue(output.toString().startsWith("guarantees: kept"), output::toString);
    }

    @Test
    void readsWrittenCalls() {
        assertEquals(CALLS.list(), RecordedRun.read(folder).calls());
    }

    @Test
    void rejectsEmptyFile() throws IOException {
        Files.writeString(file, "");
        assertRejected("is empty");
    }

    @Test
    void rejectsMissingFile() throws IOException {
        Files.delete(file);
        assertRejected("does not exist");
    }

    @Test
    void rejectsFileWithoutEnd() throws IOException {
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() - 1));
        assertRejected("is truncated: it has no end after line 5");
    }

    @Test
    void rejectsTruncatedLine() throws IOException {
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() / 2));
        assertRejected("is not a line of a history");
    }

    @Test
    void rejectsMissingLine() throws IOException {
        List<String> lines = Files.readAllLines(file);
        lines.remove(2);
        Files.write(file, lines);
        assertRejected("misses lines: it has 4, 5 were written");
    }

    @Test
    void rejectsLinesAfterEnd() throws IOException {
        List<String> lines = Files.readAllLines(file);
        lines.add(lines.get(1));
        Files.write(file, lines);
        assertRejected("continues after its end");
    }

    @Test
    void rejectsOtherContent() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertRejected("is not text");
        Files.writeString(file, "{\"is\":\"rumour\"}\n");
        assertRejected("line 1 is not a line of a history");
    }

    @Test
    void reportsMissingArgument() {
        assertEquals(2, Recheck.run(new String[0], output));
        assertTrue(output.toString().contains("name the folder"), output::toString);
    }

    private void assertRejected(String why) {
        output.setLength(0);
        assertEquals(2, recheck());
        assertTrue(output.toString().startsWith("cannot be checked: "), output::toString);
        assertTrue(output.toString().contains(why), output::toString);
    }

    private int recheck() {
        return Recheck.run(new String[] {folder.toString()}, output);
    }
}
