// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.StoreFixture;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The contract of stores on the fake, which the tests of the engine use. */
class FakeRecordStoreContractTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        VirtualTime time = new VirtualTime();
        FakeRecordStore store = new FakeRecordStore(time, Duration.ofMillis(50));
        return new StoreFixture() {
            @Override
            public RecordStore connect(RecordStore.Watcher watcher) {
                RecordStore connection = store.connect();
                connection.watch(watcher);
                return connection;
            }

            @Override
            public StoreReply ask(Consumer<Consumer<StoreReply>> call) {
                AtomicReference<StoreReply> reply = new AtomicReference<>();
                call.accept(reply::set);
                time.pass(Duration.ZERO);
                return reply.get();
            }

            @Override
            public void close() {
                // Nothing was started.
            }
        };
    }
}
