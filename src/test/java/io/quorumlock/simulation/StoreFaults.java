// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A source of random faults of a store and its replicas. The store itself loses nothing. */
final class StoreFaults {
    private final Cluster cluster;
    private final SeededRandom random;
    private List<StoreFault> kinds;
    private long interval;
    private boolean over;

    StoreFaults(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
    }

    /** Draws which faults occur and how often. */
    void begin(boolean faultFree) {
        over = faultFree;
        interval = random.millis(20, 600);
        int density = random.of(List.of(20, 60, 90));
        kinds = new ArrayList<>(Arrays.stream(StoreFault.values())
                .filter(fault -> random.percent(density))
                .toList());
        if (kinds.isEmpty()) {
            kinds.add(StoreFault.STORE_CONNECTION_BREAKS);
        }
        next();
    }

    /** Ends all faults. */
    void end() {
        over = true;
        cluster.store.ifPresent(store -> {
            store.heal();
            cluster.replicas.stream().filter(Replica::isUp).forEach(replica -> replica.store()
                    .heal());
        });
    }

    private void next() {
        cluster.events.after(random.millis(0, 2) + (long) (interval * random.around(1, 1)), () -> {
            if (!over) {
                inject(random.of(kinds));
                next();
            }
        });
    }

    private void inject(StoreFault fault) {
        SimulatedStore store = cluster.store.orElseThrow();
        Replica replica = random.of(cluster.replicas);
        long until = cluster.events.now() + (random.onceIn(5) ? random.millis(500, 2_500) : random.millis(5, 300));
        if (!replica.isUp()) {
            return;
        }
        cluster.log.add(() -> fault + " replica-" + replica.number + " until " + RunLog.time(until));
        cluster.coverage.count(fault);
        switch (fault) {
            case REPLICA_CUT -> replica.store().cut(until);
            case STORE_WITHOUT_LEADER -> cluster.replicas.stream()
                    .filter(Replica::isUp)
                    .forEach(each -> each.store().cut(until));
            case STORE_IS_SLOW -> store.slow(until);
            case STORE_CONNECTION_BREAKS -> replica.store().breakConnection();
            case STORE_ANSWER_LOST -> store.loseAnswers(random.between(1, 3));
            case REPLICA_CRASHES -> {
                replica.crash();
                cluster.events.at(until, replica::startUnlessUp);
            }
            case REPLICA_PAUSES -> replica.pause(until);
            case REPLICA_SUSPENDED -> replica.suspend(until, random.onceIn(2));
        }
    }
}
