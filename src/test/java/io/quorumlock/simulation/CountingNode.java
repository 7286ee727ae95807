// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NodeReply;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A node that counts the vote requests in flight. */
record CountingNode(LockNode node, Cluster cluster) implements LockNode {

    @Override
    public String alias() {
        return node.alias();
    }

    @Override
    public OptionalLong wallClock() {
        return cluster.conditions.timeIsUnknown() ? OptionalLong.empty() : node.wallClock();
    }

    @Override
    public void acquire(AcquireCommand claim, Consumer<NodeReply> reply) {
        cluster.addVotesInFlight(claim.token(), 1);
        node.acquire(claim, result -> {
            if (result instanceof NodeReply.Failed failed && !failed.sent()) {
                cluster.addVotesInFlight(claim.token(), -1);
            }
            reply.accept(result);
        });
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
        node.extend(resource, token, ttl, reply);
    }

    @Override
    public void raise(ResourceName resource, LeaseToken token, FencingToken fence, Consumer<NodeReply> reply) {
        node.raise(resource, token, fence, reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<NodeReply> reply) {
        node.release(condition, reply);
    }

    @Override
    public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
        node.inspect(resource, reply);
    }

    @Override
    public void scan(ScanStep step, Consumer<NodeReply> reply) {
        node.scan(step, reply);
    }
}
