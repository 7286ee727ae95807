package io.quorumlock.session;

/** The reason for the end of a session. */
public enum SessionEndReason {
    /** The client disconnected. */
    GONE,
    /** The client disconnected before it got its lease. If the engine generated the token, the lease is released (R11). */
    UNDELIVERED,
    /** The client did not read its event stream. */
    STALLED,
    /** The heartbeat of the client was missing. */
    SILENT,
    /** A majority no longer held the lease: it was released or broken, or it expired. */
    LOST,
    /** No majority confirmed an extension before the lease expired. */
    UNCONFIRMED,
    /** The lease reached the maximum number of extensions (R13). */
    EXHAUSTED,
    /** The session reached its maximum duration. */
    LONGEST,
    /** The same client opened the session again. */
    REPLACED,
    /** This replica is shutting down. */
    SHUTDOWN
}
