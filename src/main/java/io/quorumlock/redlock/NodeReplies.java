package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Deleted;
import io.quorumlock.redlock.NodeReply.Extended;
import io.quorumlock.redlock.NodeReply.Failed;
import io.quorumlock.redlock.NodeReply.Granted;

/** Classifies replies. */
final class NodeReplies {
    private NodeReplies() {}

    /** Says whether it is a vote for the attempt. */
    static boolean isVote(NodeReply reply) {
        return reply instanceof Granted || reply instanceof Adopted;
    }

    /**
     * Says whether the attempt's own value may stand on the node now or later (R5). A refusal proves that it does not; an
     * adopted value was not written by this attempt, and may belong to a lease that was answered.
     */
    static boolean mayHoldOwnValue(NodeReply reply) {
        return reply instanceof Granted || isSentAndFailed(reply);
    }

    static boolean mayHaveTakenEffect(NodeReply reply) {
        return reply instanceof Granted
                || reply instanceof Extended
                || reply instanceof Deleted
                || isSentAndFailed(reply);
    }

    private static boolean isSentAndFailed(NodeReply reply) {
        return reply instanceof Failed failed && failed.sent();
    }
}
