package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.Claim;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.ScanStep;
import io.quorumlock.redlock.Stake;
import java.time.Duration;

/** The locks of one simulated master. */
public interface LockStore {

    NodeReply acquire(Claim claim);

    NodeReply extend(ResourceName resource, LeaseToken token, Duration ttl);

    NodeReply raise(Stake stake, FencingToken fence);

    NodeReply release(Stake stake);

    NodeReply inspect(ResourceName resource);

    NodeReply scan(ScanStep step);

    void clear();

    /** Returns whether no lock stands; fencing counters may. */
    boolean isEmpty();

    /** Remembers the present content; running the result restores it, as a restart from an old snapshot does. */
    Runnable snapshot();

    /** Returns the stake as the node announces its end: a lease that was granted in a turn is passed on. */
    default Stake announced(Stake stake) {
        boolean inTurn = inspect(stake.resource()) instanceof NodeReply.Holding holding
                && holding.attempt()
                        .filter(attempt -> attempt.replace("+", "").endsWith(Claim.IN_TURN))
                        .isPresent();
        return inTurn && stake.isAnnouncedAsGranted() ? Stake.ofPassedOn(stake.resource(), stake.token()) : stake;
    }
}
