package io.quorumlock.lock;

/** Is how the sending of a beat ended. */
public sealed interface Beat {

    /** A replica keeps the session and heard it. */
    record Heard() implements Beat {}

    /** As far as a majority of the nodes knows, no replica keeps such a session. */
    record NoSession() implements Beat {}

    /** It reached nobody, and too few nodes answered to say that there is nobody. */
    record Unconfirmed(Unanswered why) implements Beat {}
}
