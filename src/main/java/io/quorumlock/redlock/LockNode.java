package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Is one of N independent masters.
 *
 * <p>Each call answers exactly once, within the node's own deadline, on the engine's thread, maybe before it returns; it
 * never throws for what can be expected. Commands of one node take effect in the order of the calls. Nothing is ever sent
 * twice (R8).
 */
public interface LockNode {

    /** Names the node, without address or credentials. */
    String alias();

    /**
     * Returns the node's wall clock in milliseconds since 1970, as it was read with the last reply and has run on since; empty
     * if there was no reply for seconds.
     */
    OptionalLong wallClock();

    /** Writes the claim if nobody holds the resource. */
    void acquire(AcquireCommand claim, Consumer<NodeReply> reply);

    /** Gives the lock a new TTL, never a shorter one, if the token still holds it (R7). */
    void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply);

    /**
     * Makes the node know the lease's fencing token, if the token still holds the lock (R10). Lowers only what the attempt
     * of the stake wrote itself.
     */
    void raise(DeleteCondition condition, FencingToken fence, Consumer<NodeReply> reply);

    /** Deletes the lock if the stake is found in it (R6). */
    void release(DeleteCondition condition, Consumer<NodeReply> reply);

    /** Reads the lock. */
    void inspect(ResourceName resource, Consumer<NodeReply> reply);

    /**
     * Names some of the locks that stand: a bounded step of a scan. A lock that stands from the first step to the last is
     * named by one of them; a lock that another program wrote by none.
     */
    void scan(ScanStep step, Consumer<NodeReply> reply);
}
