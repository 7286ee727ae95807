// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeNode;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** The node contract on the fake, which the tests of the algorithm use. */
class FakeNodeContractTest extends ScanContract {
    private final VirtualTime time = new VirtualTime();
    private final FakeNode node = new FakeNode("node-1", time, Duration.ofMillis(50), RealFleet.EXTENSIONS_MAX);

    @Override
    NodeReply ask(Ask question) {
        AtomicReference<NodeReply> reply = new AtomicReference<>();
        question.put(node, reply::set);
        time.pass(Duration.ZERO);
        return reply.get();
    }

    @Override
    MonotonicTime now() {
        return time.now();
    }

    @Override
    void letTimePass() {
        time.pass(Duration.ofNanos(123_456_789));
    }

    @Override
    int extensionsMax() {
        return RealFleet.EXTENSIONS_MAX;
    }
}
