package io.quorumlock.redlock;

import java.time.Duration;

/**
 * Is what the operator set for the algorithm.
 *
 * @param extensionsMax how often one lease may be extended (R13)
 * @param ttlMax the longest that any lease can stand on a node
 */
public record Rules(Drift drift, int extensionsMax, Duration ttlMax) {

    int extensionsLeft(int used) {
        return Math.max(0, extensionsMax - used);
    }
}
