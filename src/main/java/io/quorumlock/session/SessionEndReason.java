package io.quorumlock.session;

/** Says why a session is over. */
public enum SessionEndReason {
    /** The client's connection ended. */
    GONE,
    /** The client did not read what was written to it. */
    STALLED,
    /** The client's beat was missing. */
    SILENT,
    /** A majority no longer held the lease: it was released or broken, or it expired. */
    LOST,
    /** No majority confirmed an extension until the lease was over. */
    UNCONFIRMED,
    /** The lease was extended as often as is allowed (R13). */
    EXHAUSTED,
    /** The session was as long as one may be. */
    LONGEST,
    /** The same client opened it anew. */
    REPLACED,
    /** This replica is about to end. */
    SHUTDOWN
}
