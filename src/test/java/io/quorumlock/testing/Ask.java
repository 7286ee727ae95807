// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A command to a node that works with every implementation of {@link LockNode}. */
@FunctionalInterface
public interface Ask {
    /** The fencing token from which counters start in tests. */
    FencingToken CANDIDATE = new FencingToken(1_800_000_000_000_000L);

    void put(LockNode node, Consumer<NodeReply> reply);

    static Ask acquire(ResourceName resource, LeaseToken token, String attempt, Duration ttl, Optional<Owner> owner) {
        return acquire(
                resource,
                token,
                attempt,
                CANDIDATE,
                new AcquireTerms(ttl, Duration.ZERO, Duration.ZERO, Optional.of(token), owner));
    }

    static Ask acquire(
            ResourceName resource, LeaseToken token, String attempt, FencingToken candidate, AcquireTerms terms) {
        AcquireCommand claim = new AcquireCommand(resource, token, attempt, candidate, terms);
        return (node, reply) -> node.acquire(claim, reply);
    }

    static Ask extend(ResourceName resource, LeaseToken token, Duration ttl) {
        return (node, reply) -> node.extend(resource, token, ttl, reply);
    }

    static Ask raise(ResourceName resource, LeaseToken token, FencingToken fence) {
        return (node, reply) -> node.raise(resource, token, fence, reply);
    }

    static Ask release(ResourceName resource, LeaseToken token) {
        return (node, reply) -> node.release(DeleteCondition.ofLease(resource, token), reply);
    }

    static Ask cleanUp(ResourceName resource, LeaseToken token, String attempt) {
        return (node, reply) -> node.release(DeleteCondition.ofAttempt(resource, token, attempt), reply);
    }

    /** Deletes a lease that an attempt adopted. */
    static Ask giveUp(ResourceName resource, LeaseToken token, String attempt, int extensionsUsed) {
        return (node, reply) ->
                node.release(DeleteCondition.ofAdoption(resource, token, attempt, extensionsUsed), reply);
    }

    static Ask inspect(ResourceName resource) {
        return (node, reply) -> node.inspect(resource, reply);
    }

    static Ask scan(ScanStep step) {
        return (node, reply) -> node.scan(step, reply);
    }
}
