// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import java.time.Duration;
import java.util.Map;

/**
 * The terms of slots for reboots.
 *
 * @param ttl of a slot
 * @param slots of a group that has no number of its own
 * @param slotsOf by group
 */
public record FleetLockTerms(Duration ttl, int slots, Map<String, Integer> slotsOf) {
    int of(String group) {
        return slotsOf.getOrDefault(group, slots);
    }
}
