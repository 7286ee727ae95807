// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindAddressCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "::", "no.such.host.invalid"})
    void refusesToBeReachableWithoutAuthenticationByAccident(String host) {
        ConfigurationException refused =
                assertThrows(ConfigurationException.class, () -> warning(Map.of("quarkus.http.host", host)));
        assertTrue(refused.getMessage().startsWith("QUARKUS_HTTP_HOST=" + host + ": "), refused.getMessage());
        assertTrue(refused.getMessage().contains("QUORUMLOCK_SECURITY_KEYS_FILE"), refused.getMessage());
        assertTrue(refused.getMessage().contains("QUORUMLOCK_SECURITY_OPEN=true"), refused.getMessage());
        assertEquals(1, refused.getMessage().lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void warnsIfReachableWithoutAuthenticationOnPurpose(String host) {
        String warning = warning(Map.of("quarkus.http.host", host, "quorumlock.security.open", "true"))
                .orElseThrow();
        assertTrue(warning.startsWith("open to the network host=" + host + ": "), warning);
    }

    @Test
    void warnsOfTrialThatIsReachable() {
        assertTrue(warning(Map.of("quarkus.http.host", "0.0.0.0", "quorumlock.embedded", "true"))
                .isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.9.9.9", "::1"})
    void acceptsLoopback(String host) {
        assertEquals(Optional.empty(), warning(Map.of("quarkus.http.host", host)));
    }

    @Test
    void acceptsKeysOrCertificates() {
        assertEquals(Optional.empty(), warning(Map.of("quorumlock.security.keys-file", "keys.json")));
        assertEquals(Optional.empty(), warning(Map.of("quorumlock.security.client-certificate-required", "true")));
    }

    private static Optional<String> warning(Map<String, String> settings) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(QuorumlockConfig.class);
        settings.forEach(builder::withDefaultValue);
        SmallRyeConfig config = builder.build();
        QuorumlockConfig ours = config.getConfigMapping(QuorumlockConfig.class);
        Mistakes mistakes = new Mistakes();
        BindAddressCheck.check(ours.security(), ours.embedded(), config, mistakes);
        mistakes.throwIfAny();
        return BindAddressCheck.warning(ours.security(), config);
    }
}
