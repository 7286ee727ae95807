package io.quorumlock.bench;

import java.time.Duration;

/** Is one kind of work, ready to be measured again and again. */
interface Part extends AutoCloseable {

    /** Works for about that long, from a standing start to a standstill. */
    Sample run(Duration duration) throws Exception;

    @Override
    default void close() {}

    /** Prepares a part: what it needs may be missing. */
    @FunctionalInterface
    interface Opener {
        Part open(Setting setting) throws Exception;
    }
}
