package io.quorumlock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindAddressCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "::", "no.such.host.invalid"})
    void warnsIfReachableWithoutAuthentication(String host) {
        String warning = warning("quarkus.http.host", host).orElseThrow();
        assertTrue(warning.startsWith("open to the network host=" + host + ": "), warning);
        assertTrue(
                warning.contains("quorumlock.security.keys-file")
                        && warning.lines().count() == 1,
                warning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.9.9.9", "::1"})
    void doesNotWarnOnLoopback(String host) {
        assertEquals(Optional.empty(), warning("quarkus.http.host", host));
    }

    @Test
    void doesNotWarnWithKeysOrCertificates() {
        assertEquals(Optional.empty(), warning("quorumlock.security.keys-file", "keys.json"));
        assertEquals(Optional.empty(), warning("quorumlock.security.client-certificate-required", "true"));
        assertTrue(warning("quorumlock.ttl.max", "60s").isPresent());
    }

    private static Optional<String> warning(String key, String value) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withMapping(QuorumlockConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValue(key, value)
                .build();
        return BindAddressCheck.warning(
                config.getConfigMapping(QuorumlockConfig.class).security(), config);
    }
}
