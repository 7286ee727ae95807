// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.tls.BaseTlsConfiguration;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientCertificatesTest {
    private static final String TLS = "quarkus.http.tls-configuration-name";
    private static final String PLAIN = "quarkus.http.insecure-requests";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-       | -        | trust, key      | quarkus.http.tls-configuration-name must name the TLS configuration",
                "service | disabled | key             | quarkus.tls.service.trust-store.pem.certs must name",
                "service | disabled | trust, key, all | quarkus.tls.service.trust-store.pem.certs must name",
                "other   | disabled | trust, key      | as a variable, QUARKUS_TLS__OTHER__TRUST_STORE_PEM_CERTS",
                "service | enabled  | trust, key      | quarkus.http.insecure-requests must be disabled",
                "service | disabled | trust           | QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__CERT and _KEY"
            })
    void rejectsIncompleteSettingsOfClientCertificates(String tls, String plain, String stores, String message) {
        assertRefused("quorumlock.security.client-certificate-required", tls, plain, stores, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-       | -        | trust, key | quarkus.http.tls-configuration-name must name a TLS configuration",
                "service | disabled | trust, key | quarkus.http.insecure-requests must be enabled",
                "service | enabled  | trust      | QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__CERT and _KEY"
            })
    void rejectsManagementPortWithoutOtherPort(String tls, String plain, String stores, String message) {
        assertRefused("quorumlock.management.enabled", tls, plain, stores, message);
    }

    @Test
    void acceptsCompleteSettings() {
        Map<String, String> settings =
                Map.of("quorumlock.security.client-certificate-required", "true", TLS, "service", PLAIN, "disabled");
        assertEquals(Optional.empty(), mistake(settings, "trust, key"));
        assertEquals(Optional.empty(), mistake(Map.of(), ""));
    }

    /** Quarkus would open no port with TLS, and not say so. */
    @Test
    void rejectsPortWithTlsWithoutCertificate() {
        assertTrue(mistake(Map.of(TLS, "service"), "trust").isPresent());
        assertTrue(mistake(Map.of(TLS, "other"), "trust, key").isPresent());
        assertEquals(Optional.empty(), mistake(Map.of(TLS, "service"), "key"));
    }

    /** Operators take each of them for the requirement of certificates. */
    @Test
    void rejectsSettingsThatRequireNoCertificates() {
        String instead =
                ": no client needs a certificate with it alone; write QUORUMLOCK_SECURITY_CLIENT_CERTIFICATE_REQUIRED=true,"
                        + " or remove the setting";
        assertEquals(
                Optional.of("quarkus.tls.service.trust-store.pem.certs" + instead),
                mistake(Map.of(TLS, "service"), "trust, key"));
        String clientAuth = "quarkus.http.ssl.client-auth";
        assertEquals(
                Optional.of("QUARKUS_HTTP_SSL_CLIENT_AUTH=required" + instead),
                mistake(Map.of(TLS, "service", clientAuth, "required"), "key"));
        assertEquals(Optional.empty(), mistake(Map.of(TLS, "service", clientAuth, "NONE"), "key"));
    }

    private static void assertRefused(String key, String tls, String plain, String stores, String message) {
        Map<String, String> settings = new HashMap<>(Map.of(key, "true"));
        if (!tls.equals("-")) {
            settings.put(TLS, tls);
        }
        if (!plain.equals("-")) {
            settings.put(PLAIN, plain);
        }
        String refused = mistake(settings, stores).orElseThrow();
        String variable =
                message.endsWith("_KEY") ? Mistakes.variable(TLS) + "=service: " : Mistakes.variable(key) + "=true: ";
        assertTrue(refused.startsWith(variable) && refused.contains(message), refused);
        assertEquals(1, refused.lines().count());
    }

    private static Optional<String> mistake(Map<String, String> settings, String stores) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withMapping(QuorumlockConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter());
        settings.forEach(builder::withDefaultValue);
        SmallRyeConfig config = builder.build();
        return new ClientCertificates(
                        config.getConfigMapping(QuorumlockConfig.class), config, new OneConfiguration(stores))
                .mistake();
    }

    /** Has one TLS configuration, {@code service}, with the given stores. */
    private record OneConfiguration(String stores) implements TlsConfigurationRegistry {
        @Override
        public Optional<TlsConfiguration> get(String name) {
            return getDefault().filter(any -> name.equals("service"));
        }

        @Override
        public Optional<TlsConfiguration> getDefault() {
            return Optional.of(new BaseTlsConfiguration() {
                @Override
                public TrustOptions getTrustStoreOptions() {
                    return stores.contains("trust") ? new PemTrustOptions() : null;
                }

                @Override
                public KeyCertOptions getKeyStoreOptions() {
                    return stores.contains("key") ? new PemKeyCertOptions() : null;
                }

                @Override
                public boolean isTrustAll() {
                    return stores.contains("all");
                }
            });
        }

        @Override
        public void register(String name, TlsConfiguration configuration) {
            throw new UnsupportedOperationException();
        }
    }
}
