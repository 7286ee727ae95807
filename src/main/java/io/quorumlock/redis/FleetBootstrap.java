package io.quorumlock.redis;

import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Tells a new fleet from a node that lost its data (R9): only where all configured nodes come without a past, together, has
 * none of them forgotten anything.
 */
final class FleetBootstrap {
    /** For the others to come: long enough for a fleet that starts together, short against a quarantine. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final int nodes;
    private final Scheduler scheduler;
    private final Map<String, Consumer<RestartGuard.Occasion>> waiting = new LinkedHashMap<>();
    private boolean othersHaveAPast;

    FleetBootstrap(int nodes, Scheduler scheduler) {
        this.nodes = nodes;
        this.scheduler = scheduler;
    }

    /** Waits with a node that has no past until it is clear what that means. */
    void join(String alias, Consumer<RestartGuard.Occasion> decided) {
        waiting.put(alias, decided);
        if (othersHaveAPast) {
            decide(RestartGuard.Occasion.DOUBT);
        } else if (waiting.size() == nodes) {
            decide(RestartGuard.Occasion.FOUND);
        } else {
            scheduler.after(PATIENCE, () -> {
                if (waiting.get(alias) == decided) {
                    decide(RestartGuard.Occasion.DOUBT);
                }
            });
        }
    }

    /** Notes a node that has a past: no fleet can be founded any more. */
    void hasPast() {
        othersHaveAPast = true;
        decide(RestartGuard.Occasion.DOUBT);
    }

    /** Forgets a node whose connection ended while it waited. */
    void leave(String alias) {
        waiting.remove(alias);
    }

    private void decide(RestartGuard.Occasion occasion) {
        List<Consumer<RestartGuard.Occasion>> all = List.copyOf(waiting.values());
        waiting.clear();
        all.forEach(decided -> decided.accept(occasion));
    }
}
