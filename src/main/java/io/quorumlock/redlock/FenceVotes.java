package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Fenced;
import java.util.Comparator;

/**
 * Is what the votes of one round say of a lease's fencing token (R10): the largest number is the token. Every later quorum
 * meets a quorum that knows it, so the next token is larger; where fewer know it, it must be raised on them first. A lease
 * that a majority granted earlier keeps its token, whatever nodes that missed it then have counted since.
 *
 * @param known how many votes carry exactly this token
 */
record FenceVotes(FencingToken token, int known) {

    static FenceVotes of(Ballot ballot) {
        boolean earlier = ballot.isMajority(ballot.count(Adopted.class));
        FencingToken largest = ballot.all(Fenced.class)
                .filter(vote -> !earlier || vote instanceof Adopted)
                .map(Fenced::fence)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return new FenceVotes(largest, ballot.count(reply -> carries(reply, largest)));
    }

    /** Says whether the reply is a vote that carries another token than this. */
    boolean differs(NodeReply reply) {
        return reply instanceof Fenced && !carries(reply, token);
    }

    private static boolean carries(NodeReply reply, FencingToken token) {
        return reply instanceof Fenced fenced && fenced.fence().equals(token);
    }
}
