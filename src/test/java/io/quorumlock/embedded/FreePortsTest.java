// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {

    /** Otherwise a temporary master can take the port of its service. */
    @Test
    void excludesReservedPort() {
        int reserved = FreePorts.find(1).get(0) + 1;
        FreePorts.reserve(reserved);
        List<Integer> next = FreePorts.find(5);
        assertFalse(next.contains(reserved), next::toString);
    }
}
