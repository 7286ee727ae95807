package io.quorumlock.session;

/** A listener for sessions, for metrics. */
@FunctionalInterface
public interface SessionListener {

    /** Called at the end of a session that had its lease. */
    void ended(SessionEndReason why);
}
