// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.fleet.PolledServer;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StoreConnectionTest {
    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final VirtualTime time = new VirtualTime();
    private final MasterLog log = new MasterLog();
    private final Connection store = new Connection();

    /** A store that has no record, and is silent on request. */
    private final class Connection extends StoreConnection {
        private boolean silent;

        Connection() {
            super(TIMEOUT, time.engineContext(0), log);
        }

        @Override
        public void watch(Watcher watcher) {
            up();
        }

        @Override
        public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
            call(READ, Effect.NONE, reply, call -> {
                if (!silent) {
                    call.end(new StoreReply.Found(List.of(Optional.empty())));
                }
            });
        }

        @Override
        public void commit(List<Change> changes, Consumer<StoreReply> reply) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeUptime(StoredUptime read, String text) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<PolledServer> members() {
            return List.of();
        }

        @Override
        public CompletableFuture<Void> close() {
            down();
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void tellsCallsWithoutConnectionFromLateOnes() {
        store.watch(null);
        read();
        store.silent = true;
        read();
        store.close();
        read();
        assertEquals(List.of("store read", "store timeout", "store disconnected"), log.lines);
    }

    private void read() {
        store.read(List.of(EngineFixture.RESOURCE), reply -> {});
        time.pass(TIMEOUT);
    }
}
