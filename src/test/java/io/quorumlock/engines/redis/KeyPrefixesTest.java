// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.ResourceName;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class KeyPrefixesTest {
    private final KeyPrefixes keys = new KeyPrefixes("lock:", "fence:");

    /** R14: the number of counters on a master does not depend on the number of resources. */
    @Test
    void boundsNumberOfCounters() {
        Set<String> counters = IntStream.range(0, 1_000_000)
                .mapToObj(i -> keys.counterOf(new ResourceName("orders/" + i)))
                .collect(Collectors.toSet());
        assertTrue(counters.size() > 60_000, () -> "badly spread: " + counters.size());
        assertTrue(counters.size() <= 65_536, () -> "too many: " + counters.size());
    }

    /** R10: replicas of all versions must use the same counter. */
    @Test
    void keepsCounterOfResource() {
        assertEquals("fence:14630/", keys.counterOf(new ResourceName("123456789")));
        assertEquals("fence:43401/", keys.counterOf(new ResourceName("größe")));
    }

    @Test
    void countersAreNoLocksWithoutLockPrefix() {
        String counter = new KeyPrefixes("", "fence:").counterOf(new ResourceName("orders/42"));
        assertThrows(IllegalArgumentException.class, () -> new ResourceName(counter));
    }
}
