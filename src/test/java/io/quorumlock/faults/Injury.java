package io.quorumlock.faults;

import java.util.Optional;

/** One way to do harm, and to take its cause away again. */
interface Injury {
    void begin();

    void end();

    /** Returns what shows that it had an effect, as soon as something does. */
    Optional<String> evidence();

    /** Returns whether the victim is well again, as far as it can be seen. */
    boolean isOver();
}
