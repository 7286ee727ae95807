// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.RecordStoreContract;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.testing.StoreFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The contract of stores on a real server. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
class ZooKeeperStoreContractTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        ZooKeeperSettings settings = TestSettings.of(SharedZooKeeper.SERVER.getConnectString());
        List<ZooKeeperStore> stores = new ArrayList<>();
        return new StoreFixture() {
            @Override
            public RecordStore connect(RecordStore.Watcher watcher) {
                ZooKeeperStore store = new ZooKeeperStore(settings, SharedZooKeeper.LOOP.engineContext);
                stores.add(store);
                SharedZooKeeper.LOOP.engineContext.loop().execute(() -> store.watch(watcher));
                RealLoop.await(store.firstReady());
                return store;
            }

            @Override
            public StoreReply ask(Consumer<Consumer<StoreReply>> call) {
                CompletableFuture<StoreReply> reply = new CompletableFuture<>();
                SharedZooKeeper.LOOP.engineContext.loop().execute(() -> call.accept(reply::complete));
                return RealLoop.await(reply);
            }

            @Override
            public void close() {
                stores.forEach(store -> RealLoop.await(store.close()));
            }
        };
    }
}
