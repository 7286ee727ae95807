package io.quorumlock.session;

import io.quorumlock.lock.NoQuorumReason;

/** The outcome of sending a heartbeat. */
public sealed interface BeatOutcome {

    /** A replica has the session and received the heartbeat. */
    record Heard() implements BeatOutcome {}

    /** According to a majority of the nodes, no replica has such a session. */
    record NoSession() implements BeatOutcome {}

    /** No replica received the heartbeat, but too few nodes answered to rule out that a replica has the session. */
    record Unconfirmed(NoQuorumReason why) implements BeatOutcome {}
}
