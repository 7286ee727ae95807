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
}
