// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.StoreReply;
import java.util.List;
import java.util.function.Consumer;

/** An empty store of records. */
public interface StoreFixture extends AutoCloseable {

    /** Connects to the store, and returns when it can be used. */
    RecordStore connect(RecordStore.Watcher watcher);

    /** Makes a call, and waits for its reply. */
    StoreReply ask(Consumer<Consumer<StoreReply>> call);

    /** Waits for the reports of all changes that were made before. */
    default void settle(RecordStore store) {
        ask(reply -> store.read(List.of(new ResourceName("no-such-record")), reply));
    }

    @Override
    void close();
}
