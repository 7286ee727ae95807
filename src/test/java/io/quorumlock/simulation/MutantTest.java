package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shows that the simulation can see: with any rule switched off it finds a broken promise within a thousand seeds. */
class MutantTest {
    private static final long SEEDS = 1_000;

    @ParameterizedTest
    @EnumSource
    void isCaught(Mutant mutant) {
        Batch batch = new Batch(LongStream.rangeClosed(1, SEEDS), mutant.tampering, Progress.silent()).run(1);
        assertFalse(batch.failures().isEmpty(), () -> mutant + " survives " + batch);
    }
}
