package io.quorumlock.session;

import io.quorumlock.lock.NoQuorumReason;

/** Is how the sending of a beat ended. */
public sealed interface BeatOutcome {

    /** A replica keeps the session and heard it. */
    record Heard() implements BeatOutcome {}

    /** As far as a majority of the nodes knows, no replica keeps such a session. */
    record NoSession() implements BeatOutcome {}

    /** It reached nobody, and too few nodes answered to say that there is nobody. */
    record Unconfirmed(NoQuorumReason why) implements BeatOutcome {}
}
