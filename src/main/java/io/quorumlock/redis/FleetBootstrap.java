// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The decision whether a node without a marker belongs to a new fleet or has lost its data (R9). If all configured
 * nodes are new at the same time, none of them has lost anything.
 */
final class FleetBootstrap {
    /** The maximum wait for other nodes: enough for a fleet that starts together, short compared to a quarantine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final int nodes;
    private final Scheduler scheduler;
    private final Map<String, Consumer<RestartGuard.Occasion>> waiting = new LinkedHashMap<>();
    private boolean othersHaveHistory;

    FleetBootstrap(int nodes, Scheduler scheduler) {
        this.nodes = nodes;
        this.scheduler = scheduler;
    }

    /** Registers a new node. It waits for the decision. */
    void join(String alias, Consumer<RestartGuard.Occasion> decided) {
        waiting.put(alias, decided);
        if (othersHaveHistory) {
            decide(RestartGuard.Occasion.DOUBT);
        } else if (waiting.size() == nodes) {
            decide(RestartGuard.Occasion.FOUND);
        } else {
            scheduler.after(TIMEOUT, () -> {
                if (waiting.get(alias) == decided) {
                    decide(RestartGuard.Occasion.DOUBT);
                }
            });
        }
    }

    /** Notes that a node has a history, so that the fleet is not new. */
    void hasHistory() {
        othersHaveHistory = true;
        decide(RestartGuard.Occasion.DOUBT);
    }

    /** Removes a node whose connection ended before the decision. */
    void leave(String alias) {
        waiting.remove(alias);
    }

    private void decide(RestartGuard.Occasion occasion) {
        List<Consumer<RestartGuard.Occasion>> all = List.copyOf(waiting.values());
        waiting.clear();
        all.forEach(decided -> decided.accept(occasion));
    }
}
