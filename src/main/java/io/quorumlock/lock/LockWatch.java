package io.quorumlock.lock;

import java.util.function.Consumer;

/** Tells what happens to locks, through whichever replica. What it tells may be late or missing: nothing may depend on it. */
public interface LockWatch {

    /** @param listener is told on the engine's loop, one change after the other; must not take long */
    Watch watch(Consumer<LockChange> listener);

    /** Is one listener. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
