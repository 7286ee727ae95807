package io.quorumlock.faults;

import java.util.Optional;

/** Is one way to do harm, and to take its cause away again. */
interface Injury {
    void begin();

    void end();

    /** Tells what shows that it had an effect, as soon as something does. */
    Optional<String> evidence();

    /** Says whether the victim is well again, as far as it can be seen. */
    boolean isOver();
}
