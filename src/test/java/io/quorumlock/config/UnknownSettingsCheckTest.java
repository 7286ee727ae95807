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

/** A setting that nobody reads is no setting. */
class UnknownSettingsCheckTest {

    @ParameterizedTest
    @CsvSource({
        "QUORUMLOCK_SECURITY_KEY_FILE,  QUORUMLOCK_SECURITY_KEYS_FILE",
        "QUORUMLOCK_SECURITY_KEYSFILE,  QUORUMLOCK_SECURITY_KEYS_FILE",
        "QUORUMLOCK_NODE,               QUORUMLOCK_NODES",
        "QUORUMLOCK_NODE_TIMEOUT_MS,    QUORUMLOCK_NODE_TIMEOUT",
        "QUORUMLOCK_TTL_MAXIMUM,        QUORUMLOCK_TTL_MAX"
    })
    void whatIsMisspeltIsRefusedWithTheNearest(String variable, String nearest) {
        List<String> environment = List.of("PATH", variable, "QUORUMLOCK_NODES");
        String said = assertThrows(ConfigurationException.class, () -> UnknownSettingsCheck.check(environment))
                .getMessage();
        assertEquals(
                "the environment variable " + variable + " sets nothing; the nearest that does is " + nearest, said);
    }

    @Test
    void everySettingIsKnown() {
        assertTrue(UnknownSettingsCheck.known()
                .containsAll(List.of("QUORUMLOCK_NODES", "QUORUMLOCK_LOCK_PREFIX", "QUORUMLOCK_WAIT_MAX")));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(UnknownSettingsCheck.known()));
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(List.of("QUORUMLOCK_NODES_0_")));
    }

    @Test
    void whatKubernetesSetsForAServiceIsLeftAlone() {
        assertDoesNotThrow(() -> UnknownSettingsCheck.check(List.of(
                "QUORUMLOCK_SERVICE_HOST",
                "QUORUMLOCK_SERVICE_PORT_HTTP",
                "QUORUMLOCK_PORT",
                "QUORUMLOCK_PORT_8080_TCP_ADDR",
                "QUORUMLOCK_MASTERS_SERVICE_HOST",
                "QUORUMLOCK_MASTERS_PORT_6379_TCP")));
    }
}
