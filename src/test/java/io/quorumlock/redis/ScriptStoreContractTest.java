// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.LockStore;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The node contract on the Lua interpreter, which the simulation uses. */
class ScriptStoreContractTest extends FencingContract {
    private final LockNode node = new StoreNode(new ScriptStore(new VirtualTime(), RealFleet.EXTENSIONS_MAX, 1 << 16));

    @Override
    NodeReply ask(Ask question) {
        AtomicReference<NodeReply> reply = new AtomicReference<>();
        question.put(node, reply::set);
        return reply.get();
    }

    @Override
    int extensionsMax() {
        return RealFleet.EXTENSIONS_MAX;
    }

    /** A node that replies from a store at once. */
    private record StoreNode(LockStore store) implements LockNode {
        @Override
        public String alias() {
            return "node-1";
        }

        @Override
        public OptionalLong wallClock() {
            return OptionalLong.empty();
        }

        @Override
        public void acquire(AcquireCommand claim, Consumer<NodeReply> reply) {
            reply.accept(store.acquire(claim));
        }

        @Override
        public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
            reply.accept(store.extend(resource, token, ttl));
        }

        @Override
        public void raise(ResourceName resource, LeaseToken token, FencingToken fence, Consumer<NodeReply> reply) {
            reply.accept(store.raise(resource, token, fence));
        }

        @Override
        public void release(DeleteCondition condition, Consumer<NodeReply> reply) {
            reply.accept(store.release(condition));
        }

        @Override
        public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
            reply.accept(store.inspect(resource));
        }

        @Override
        public void scan(ScanStep step, Consumer<NodeReply> reply) {
            reply.accept(store.scan(step));
        }
    }
}
