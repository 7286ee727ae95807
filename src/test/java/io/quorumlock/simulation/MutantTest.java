package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shows that the simulation can see: without any one rule it finds the promise broken that rests on it. */
class MutantTest {
    private static final long SEEDS = 4_000;
    private static final String QUORUM = "java/io/quorumlock/redlock/Quorum.java";

    @ParameterizedTest
    @EnumSource
    void breaksItsPromise(Mutant mutant) {
        Map<String, Integer> broken =
                mutant.run(LongStream.rangeClosed(1, SEEDS).toArray());
        assertTrue(broken.containsKey(mutant.promise.name()), () -> mutant + " survives; broken instead: " + broken);
    }

    /** Otherwise a mutant could be caught by what the loading of its classes breaks. */
    @Test
    void unchangedClassesBreakNoPromise() {
        long[] seeds = LongStream.rangeClosed(1, 100).toArray();
        Map<String, Integer> broken =
                MutatedClasses.of(Optional.empty()).trial().apply(seeds, Promise.S1.name());
        assertEquals(Map.of(), broken);
    }

    @Test
    void unchangedScriptsBreakNoPromise() {
        Mutation none = new Mutation("resources/redis/beat.lua", "return", "return");
        long[] seeds = LongStream.rangeClosed(1, 100).toArray();
        Map<String, Integer> broken =
                MutatedClasses.of(Optional.of(none)).trial().apply(seeds, Promise.S1.name());
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
