package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shows that the simulation detects faults: without any one rule, the promise that rests on it is broken. The seeds that detected a
 * mutant before are tried first.
 */
@Tag("nightly")
class MutantTest {
    private static final long SEEDS = 4_000;
    private static final String QUORUM = "java/io/quorumlock/redlock/Quorum.java";

    private static final Map<Mutant, Long> CAUGHT_BY = new EnumMap<>(Mutant.class);

    @ParameterizedTest
    @EnumSource
    void breaksItsPromise(Mutant mutant) {
        LongStream seeds = LongStream.concat(Seeds.thatCaught(mutant.name()), LongStream.rangeClosed(1, SEEDS));
        Map<String, Long> broken = mutant.run(seeds.toArray());
        assertTrue(broken.containsKey(mutant.promise.name()), () -> mutant + " survives; broken instead: " + broken);
        CAUGHT_BY.put(mutant, broken.get(mutant.promise.name()));
    }

    /** Writes the file that replaces {@code src/test/resources/simulation/mutants.txt} once its seeds are stale. */
    @AfterAll
    static void writeSeeds() throws IOException {
        List<String> lines = CAUGHT_BY.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
        Files.write(Files.createDirectories(Path.of("target")).resolve("mutants.txt"), lines);
    }

    /** Otherwise a mutant could be caught by what the loading of its classes breaks. */
    @Test
    void unchangedClassesBreakNoPromise() {
        long[] seeds = LongStream.rangeClosed(1, 100).toArray();
        Map<String, Long> broken = MutatedClasses.of(Optional.empty()).trial().apply(seeds, Promise.S1.name());
        assertEquals(Map.of(), broken);
    }

    @Test
    void unchangedScriptsBreakNoPromise() {
        Mutation none = new Mutation("resources/redis/beat.lua", "return", "return");
        long[] seeds = LongStream.rangeClosed(1, 100).toArray();
        Map<String, Long> broken = MutatedClasses.of(Optional.of(none)).trial().apply(seeds, Promise.S1.name());
        assertEquals(Map.of(), broken);
    }

    @Test
    void rejectsTextThatIsGone() {
        rejects("stale: not found in " + QUORUM, new Mutation(QUORUM, "total / 3", "total"));
    }

    @Test
    void rejectsTextThatIsFoundTwice() {
        rejects("stale: found more than once in " + QUORUM, new Mutation(QUORUM, "total", "2"));
    }

    @Test
    void rejectsTextThatDoesNotCompile() {
        rejects("does not compile: ", new Mutation(QUORUM, "total / 2 + 1", "total /"));
    }

    private static void rejects(String reason, Mutation mutation) {
        Optional<Mutation> change = Optional.of(mutation);
        Exception rejection = assertThrows(IllegalStateException.class, () -> MutatedClasses.of(change));
        assertTrue(rejection.getMessage().startsWith(reason), rejection.getMessage());
    }
}
