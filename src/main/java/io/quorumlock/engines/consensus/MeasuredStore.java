// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import java.util.List;
import java.util.function.Consumer;

/** A store whose calls are measured as commands to a master with the name "store". */
public final class MeasuredStore implements RecordStore {
    private static final String ALIAS = "store";
    private static final String READ = "read";
    private static final String COMMIT = "commit";

    private final RecordStore store;
    private final MonotonicClock clock;
    private final ServerListener listener;

    public MeasuredStore(RecordStore store, MonotonicClock clock, ServerListener listener) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
        listener.expects(ALIAS, List.of(READ, COMMIT));
    }

    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        store.read(names, measured(READ, reply));
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        store.commit(changes, measured(COMMIT, reply));
    }

    @Override
    public void watch(Watcher watcher) {
        store.watch(watcher);
    }

    private Consumer<StoreReply> measured(String call, Consumer<StoreReply> reply) {
        MonotonicTime sent = clock.now();
        return result -> {
            if (result instanceof StoreReply.Failed failed) {
                listener.failed(ALIAS, failed.reason());
            } else {
                listener.answered(ALIAS, call, clock.now().since(sent));
            }
            reply.accept(result);
        };
    }
}
