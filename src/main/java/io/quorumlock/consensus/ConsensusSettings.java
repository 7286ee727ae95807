// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.time.Drift;
import java.time.Duration;

/**
 * The settings of the engine.
 *
 * @param extensionsMax maximum number of extensions of one lease (R13)
 * @param ttlMax the longest TTL of any lease
 * @param storeTimeout the timeout of one call to the store
 */
public record ConsensusSettings(Drift drift, int extensionsMax, Duration ttlMax, Duration storeTimeout) {
    int extensionsLeft(int used) {
        return Math.max(0, extensionsMax - used);
    }
}
