package io.quorumlock.redlock;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.Owner;
import java.time.Duration;
import java.util.Optional;

/** Is what one node said. */
public sealed interface NodeReply {

    /** To acquire: written by this attempt, for the whole TTL. */
    record Granted() implements NodeReply {}

    /**
     * To acquire: an earlier attempt with the same token and terms had written it; it now stands in this attempt's name,
     * so that the earlier one's clean-up leaves it alone.
     */
    record Adopted(Duration remaining, int extensionsUsed) implements NodeReply {}

    /** To acquire: another holds it. */
    record Refused(Duration remaining, Optional<Owner> owner) implements NodeReply {}

    /** To acquire: held by the same token on other terms. */
    record TokenInUse() implements NodeReply {}

    /** To extend: it was still held, and has the new TTL. */
    record Extended(int extensionsUsed) implements NodeReply {}

    /** To extend: still held, and extended too often already (R13). */
    record Exhausted() implements NodeReply {}

    /** To release: it was held and is deleted. */
    record Deleted() implements NodeReply {}

    /** To extend, release, inspect: nobody holds it. */
    record Absent() implements NodeReply {}

    /** To extend, release: another holds it. */
    record HeldByAnother() implements NodeReply {}

    /**
     * To inspect: held.
     *
     * @param holder what tells this holder from others: compared only, never shown
     */
    record Holding(String holder, Optional<Owner> owner, Duration remaining) implements NodeReply {
        @Override
        public String toString() {
            return "Holding[hidden]";
        }
    }

    /**
     * To anything: no vote.
     *
     * @param sent whether the command may have reached the node, and taken effect
     */
    record Failed(NodeFailure reason, boolean sent) implements NodeReply {}
}
