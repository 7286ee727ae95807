package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Fenced;
import io.quorumlock.redlock.NodeReply.Granted;

/**
 * Is what the votes of one round say of a lease's fencing token (R10): the largest number is the token. Every later quorum
 * meets a quorum that knows it, so the next token is larger; where fewer know it, it must be raised on them first. A lease
 * that a majority granted earlier keeps its token, whatever nodes that missed it then have counted since. A new lease gets no
 * token that is far behind the clocks: a node that voted for it may have lost its counter.
 *
 * @param known how many votes carry exactly this token
 */
record FenceVotes(FencingToken token, int known) {

    /** @param least the smallest token that a new lease may have */
    static FenceVotes of(VoteCollector collector, FencingToken least) {
        boolean earlier = collector.isMajority(collector.count(Adopted.class));
        Class<? extends Fenced> counted = earlier ? Adopted.class : Fenced.class;
        boolean mayBeNew = !earlier && collector.count(Granted.class) > 0;
        long largest = mayBeNew ? least.number() : 0;
        for (Fenced vote : collector.all(counted)) {
            largest = Math.max(largest, vote.fence().number());
        }
        FencingToken token = new FencingToken(largest);
        return new FenceVotes(token, collector.count(reply -> carries(reply, token)));
    }

    /** Says whether the reply is a vote that carries another token than this. */
    boolean differs(NodeReply reply) {
        return reply instanceof Fenced && !carries(reply, token);
    }

    private static boolean carries(NodeReply reply, FencingToken token) {
        return reply instanceof Fenced fenced && fenced.fence().equals(token);
    }
}
