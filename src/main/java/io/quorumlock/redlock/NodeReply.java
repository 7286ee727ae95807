package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Is what one node said. */
public sealed interface NodeReply {

    /** Is a vote that carries the lease's fencing token as its node knows it. */
    sealed interface Fenced extends NodeReply {
        FencingToken fence();
    }

    /** To acquire: written by this attempt, for the whole TTL. */
    record Granted(FencingToken fence) implements Fenced {}

    /**
     * To acquire: an earlier attempt with the same token and terms had written it; it now stands in this attempt's name,
     * so that the earlier one's clean-up leaves it alone.
     */
    record Adopted(Duration remaining, int extensionsUsed, FencingToken fence) implements Fenced {}

    /**
     * To acquire: another holds it.
     *
     * @param holder what tells this holder from others: compared only, never shown
     * @param ours whether this service wrote the value, and not another program
     */
    record Refused(Duration remaining, Optional<Owner> owner, String holder, boolean ours) implements NodeReply {
        /** Refuses for a lease of this service. */
        public Refused(Duration remaining, Optional<Owner> owner, String holder) {
            this(remaining, owner, holder, true);
        }

        @Override
        public String toString() {
            return "Refused[remaining=" + remaining + ", owner=" + owner + "]";
        }
    }

    /** To acquire: held by the same token on other terms. */
    record TokenInUse() implements NodeReply {}

    /** To extend: it was still held, and has the new TTL. */
    record Extended(int extensionsUsed, FencingToken fence) implements Fenced {}

    /** To extend: still held, and extended too often already (R13). */
    record Exhausted() implements NodeReply {}

    /** To raise: the node knows the fencing token now. */
    record Raised() implements NodeReply {}

    /**
     * To release: it was held and is deleted.
     *
     * @param contested whether several replicas listen for that
     */
    record Deleted(boolean contested) implements NodeReply {
        public Deleted() {
            this(false);
        }
    }

    /** To extend, raise, release, inspect: nobody holds it. */
    record Absent() implements NodeReply {}

    /** To extend, raise, release: another holds it. */
    record HeldByAnother() implements NodeReply {}

    /**
     * To inspect: held.
     *
     * @param holder what tells this holder from others: compared only, never shown
     * @param attempt that wrote the value as it stands; none where another program did
     * @param fence none where another program holds it
     */
    record Holding(
            String holder,
            Optional<String> attempt,
            Optional<Owner> owner,
            Duration remaining,
            Optional<FencingToken> fence)
            implements NodeReply {
        @Override
        public String toString() {
            return "Holding[hidden]";
        }
    }

    /**
     * To scan: some of the locks, in any order, maybe some again.
     *
     * @param next where to go on; empty at the end
     */
    record Scanned(List<ResourceName> found, Optional<String> next) implements NodeReply {}

    /**
     * To anything: no vote.
     *
     * @param sent whether the command may have reached the node, and taken effect
     */
    record Failed(NodeFailure reason, boolean sent) implements NodeReply {}
}
