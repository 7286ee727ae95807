// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownSettingsCheckTest {

    @ParameterizedTest
    @CsvSource({
        "QUORUMLOCK_SECURITY_KEY_FILE,  QUORUMLOCK_SECURITY_KEYS_FILE",
        "QUORUMLOCK_SECURITY_KEYSFILE,  QUORUMLOCK_SECURITY_KEYS_FILE",
        "QUORUMLOCK_NODE,               QUORUMLOCK_NODES",
        "QUORUMLOCK_NODE_TIMEOUT_MS,    QUORUMLOCK_NODE_TIMEOUT",
        "QUORUMLOCK_TTL_MAXIMUM,        QUORUMLOCK_TTL_MAX"
    })
    void rejectsMisspeltVariablesAndSuggestsTheNearest(String variable, String nearest) {
        List<String> environment = List.of("PATH", variable, "QUORUMLOCK_NODES");
        String message = assertThrows(ConfigurationException.class, () -> UnknownSettingsCheck.check(environment))
                .getMessage();
        assertEquals(
                "unknown environment variable " + variable
                        + ": remove it or correct its name. The most similar name is " + nearest,
                message);
    }

    @ParameterizedTest
    @CsvSource({
        "QUORUMLOCK_TRACING_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT",
        "QUORUMLOCK_TRACING_RATIO,    OTEL_TRACES_SAMPLER_ARG"
    })
    void namesTheReplacementOfRemovedVariables(String variable, String replacement) {
        List<String> environment = List.of(variable);
        String message = assertThrows(ConfigurationException.class, () -> UnknownSettingsCheck.check(environment))
                .getMessage();
        assertTrue(
                message.startsWith("the environment variable " + variable + " was removed: use ")
                        && message.contains(replacement),
                message);
    }

    @Test
    void knowsEverySetting() {
        assertTrue(UnknownSettingsCheck.known()
                .containsAll(List.of("QUORUMLOCK_NODES", "QUORUMLOCK_LOCK_PREFIX", "QUORUMLOCK_WAIT_MAX")));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(UnknownSettingsCheck.known()));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(List.of("QUORUMLOCK_NODES_0_")));
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
