// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NodeReply;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A node that counts the vote requests in flight. */
final class CountedNode extends NodeInTheMiddle {
    private final World world;

    CountedNode(LockNode node, World world) {
        super(node);
        this.world = world;
    }

    @Override
    public OptionalLong wallClock() {
        return world.conditions.timeIsUnknown() ? OptionalLong.empty() : node.wallClock();
    }

    @Override
    public void acquire(AcquireCommand claim, Consumer<NodeReply> reply) {
        world.addVotesInFlight(claim.token(), 1);
        node.acquire(claim, result -> {
            if (result instanceof NodeReply.Failed failed && !failed.sent()) {
                world.addVotesInFlight(claim.token(), -1);
            }
            reply.accept(result);
        });
    }
}
