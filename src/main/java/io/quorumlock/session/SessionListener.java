package io.quorumlock.session;

/** Hears of sessions: for metrics. */
@FunctionalInterface
public interface SessionListener {

    /** Reports the end of a session that had begun. */
    void ended(SessionEndReason why);
}
