package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that a stored history is checked again as a whole or not at all. */
class HistoryFileTest {
    @TempDir
    Path folder;

    private Path file;
    private final StringBuilder said = new StringBuilder();

    @BeforeEach
    void store() {
        file = folder.resolve(History.CALLS);
        Calls calls = new Calls()
                .acquired("a", 0, 5, 1)
                .refused("b", Operation.ACQUIRE, 10, 15, 423)
                .vanished();
        try (HistoryWriter out = new HistoryWriter("all", file);
                HistoryWriter faults = new HistoryWriter("faults", folder.resolve(History.FAULTS))) {
            out.write(new RunHeader(42, 2, 0, 1, 0, 1, Set.of(FaultKind.HOLD)));
            calls.history.calls().forEach(out::write);
            out.write(new Observation(Promise.N, "locks left", 0, 0));
            faults.write(new InflictedFault(1, FaultKind.HOLD, "master-1", "*", 0, 1, 2, 3, "seen", true));
        }
    }

    @Test
    void aWholeHistoryIsCheckedAgain() {
        assertEquals(0, recheck(), said::toString);
        assertTrue(said.toString().startsWith("promises: kept"), said::toString);
    }

    @Test
    void whatWasWrittenIsRead() {
        Calls calls = new Calls()
                .acquired("a", 0, 5, 1)
                .refused("b", Operation.ACQUIRE, 10, 15, 423)
                .vanished();
        assertEquals(calls.history.calls(), History.read(folder).calls());
    }

    @Test
    void anEmptyOneIsRefused() throws IOException {
        Files.writeString(file, "");
        refused("is empty");
    }

    @Test
    void oneThatIsMissingIsRefused() throws IOException {
        Files.delete(file);
        refused("does not exist");
    }

    @Test
    void oneWithoutItsEndIsRefused() throws IOException {
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() - 1));
        refused("is cut off: it has no end after line 5");
    }

    @Test
    void oneThatEndsWithinALineIsRefused() throws IOException {
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() / 2));
        refused("is not a line of a history");
    }

    @Test
    void oneThatLacksALineIsRefused() throws IOException {
        List<String> lines = Files.readAllLines(file);
        lines.remove(2);
        Files.write(file, lines);
        refused("lacks lines: it has 4, 5 were written");
    }

    @Test
    void oneThatGoesOnIsRefused() throws IOException {
        List<String> lines = Files.readAllLines(file);
        lines.add(lines.get(1));
        Files.write(file, lines);
        refused("goes on after its end");
    }

    @Test
    void anythingElseIsRefused() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        refused("is not text");
        Files.writeString(file, "{\"is\":\"rumour\"}\n");
        refused("line 1 is not a line of a history");
    }

    @Test
    void withoutTheFaultsNothingIsJudged() throws IOException {
        Files.delete(folder.resolve(History.FAULTS));
        refused(History.FAULTS + " does not exist");
    }

    @Test
    void withoutAFolderItSaysWhatToName() {
        assertEquals(2, Recheck.run(new String[0], said));
        assertTrue(said.toString().contains("name the folder"), said::toString);
    }

    private void refused(String why) {
        said.setLength(0);
        assertEquals(2, recheck());
        assertTrue(said.toString().startsWith("cannot be checked: "), said::toString);
        assertTrue(said.toString().contains(why), said::toString);
    }

    private int recheck() {
        return Recheck.run(new String[] {folder.toString()}, said);
    }
}
