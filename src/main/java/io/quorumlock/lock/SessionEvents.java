package io.quorumlock.lock;

/** Hears of sessions: for metrics. */
@FunctionalInterface
public interface SessionEvents {

    /** Reports the end of a session that had begun. */
    void ended(SessionEnd why);
}
