package io.quorumlock.bench;

import java.time.Duration;
import java.util.Map;

/** Is one kind of work, ready to be measured again and again. */
interface Part extends AutoCloseable {

    /** Makes ready what is not measured, before each run; the masters are empty. */
    default void prepare() throws Exception {}

    /** Works for about that long, from a standing start to a standstill. */
    Sample run(Duration duration) throws Exception;

    /** Clears up what is not measured, after each run. */
    default void settle() {}

    /** Tells what else was measured in the latest run, by name; the unit is in the name. */
    default Map<String, Double> facts() {
        return Map.of();
    }

    @Override
    default void close() {}

    /** Prepares a part: what it needs may be missing. */
    @FunctionalInterface
    interface Opener {
        Part open(Setting setting) throws Exception;
    }
}
