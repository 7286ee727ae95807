// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.time.Drift;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings of the engine.
 *
 * @param extensionsMax maximum number of extensions of one lease (R13); empty for no limit
 * @param ttlMax the longest TTL of any lease
 * @param storeTimeout the timeout of one call to the store
 */
public record ConsensusSettings(Drift drift, OptionalInt extensionsMax, Duration ttlMax, Duration storeTimeout) {
    OptionalInt extensionsLeft(int used) {
        return extensionsMax.stream().map(most -> Math.max(0, most - used)).findFirst();
    }
}
