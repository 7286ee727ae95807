package io.quorumlock.security;

/** The reason of a rejected request. */
public enum RefusalReason {
    NO_KEY,
    MALFORMED,
    WRONG_KEY,
    TOO_MANY_WRONG_KEYS,
    FORBIDDEN,
    OVER_QUOTA,
    TOO_MANY_WAITERS
}
