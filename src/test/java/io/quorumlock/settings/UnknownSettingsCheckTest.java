// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownSettingsCheckTest {

    @Test
    void knowsEverySetting() {
        assertTrue(UnknownSettingsCheck.known()
                .containsAll(List.of("QUORUMLOCK_NODES", "QUORUMLOCK_LOCK_PREFIX", "QUORUMLOCK_WAIT_MAX")));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(UnknownSettingsCheck.known()));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(List.of("QUORUMLOCK_NODES_0_")));
    }

    @Test
    void proposesSettingThatDiffersInSeparators() {
        assertEquals(
                List.of("QUORUMLOCK_WAITMAX: unknown; write QUORUMLOCK_WAIT_MAX, or a name of docs/configuration.md"),
                UnknownSettingsCheck.problems(List.of("QUORUMLOCK_WAITMAX")).toList());
    }

    @Test
    void ignoresTheServiceVariablesOfKubernetes() {
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(List.of(
                "QUORUMLOCK_SERVICE_HOST",
                "QUORUMLOCK_SERVICE_PORT_HTTP",
                "QUORUMLOCK_PORT",
                "QUORUMLOCK_PORT_8080_TCP_ADDR",
                "QUORUMLOCK_MASTERS_SERVICE_HOST",
                "QUORUMLOCK_MASTERS_PORT_6379_TCP")));
    }
}
