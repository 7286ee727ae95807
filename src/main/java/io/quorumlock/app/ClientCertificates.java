// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * The run-time setting for client certificates, and the checks of the two ports. The setting of Quarkus is fixed at build
 * time.
 */
@Singleton
final class ClientCertificates implements HttpServerOptionsCustomizer {
    private static final String KEY = "quorumlock.security.client-certificate-required";
    private static final String TLS = "quarkus.http.tls-configuration-name";
    private static final String TRUST_STORE = ".trust-store.pem.certs";
    /** Of Quarkus, and fixed at build time. */
    private static final String CLIENT_AUTH = "quarkus.http.ssl.client-auth";

    private static final String PLAIN = "quarkus.http.insecure-requests";

    private static final String MANAGEMENT = "quorumlock.management.enabled";

    private final boolean required;
    private final boolean management;
    private final Config all;
    private final TlsConfigurationRegistry registry;

    ClientCertificates(QuorumlockConfig config, Config all, TlsConfigurationRegistry registry) {
        this.required = config.security().clientCertificateRequired();
        this.management = config.management().enabled();
        this.all = all;
        this.registry = registry;
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        if (required) {
            options.setClientAuth(ClientAuth.REQUIRED);
        }
    }

    /** Returns the first mistake with which certificates would not be checked, or with which no port would serve locks. */
    Optional<String> mistake() {
        return Optional.<String>empty()
                .or(() -> management ? managementMistake() : Optional.empty())
                .or(() -> required ? requirementMistake() : Optional.empty())
                .or(() -> tlsName().filter(this::hasNoKeyStore).map(ClientCertificates::noKeyStore))
                .or(() -> required ? Optional.empty() : uselessMistake());
    }

    /** Returns the mistake of settings that look like a requirement of certificates, and are none. */
    private Optional<String> uselessMistake() {
        String instead = ": no client needs a certificate with it alone; write " + Mistakes.variable(KEY)
                + "=true, or remove the setting";
        // The value of the configuration is always that of the build.
        return StreamSupport.stream(all.getConfigSources().spliterator(), false)
                .map(source -> source.getValue(CLIENT_AUTH))
                .filter(auth -> auth != null && !auth.equalsIgnoreCase("none"))
                .findFirst()
                .map(auth -> Mistakes.variable(CLIENT_AUTH) + "=" + auth + instead)
                .or(() -> tlsName()
                        .filter(this::hasTrustStore)
                        .map(name -> "quarkus.tls." + name + TRUST_STORE + instead));
    }

    private boolean hasTrustStore(String name) {
        return registry.get(name).map(TlsConfiguration::getTrustStoreOptions).isPresent();
    }

    private Optional<String> managementMistake() {
        if (tlsName().isEmpty()) {
            return refused(MANAGEMENT, TLS + " must name a TLS configuration, or no port would serve locks");
        }
        return plainRequests().orElse("enabled").equalsIgnoreCase("enabled")
                ? Optional.empty()
                : refused(MANAGEMENT, PLAIN + " must be enabled, or no port would serve probes without TLS");
    }

    private Optional<String> requirementMistake() {
        if (tlsName().isEmpty()) {
            return refused(KEY, TLS + " must name the TLS configuration that has the certificates");
        }
        String name = tlsName().get();
        Optional<TlsConfiguration> tls = registry.get(name);
        // Without a trust store, the server would accept the certificates of all public authorities.
        if (tls.map(TlsConfiguration::getTrustStoreOptions).isEmpty()
                || tls.filter(TlsConfiguration::isTrustAll).isPresent()) {
            return refused(
                    KEY,
                    "quarkus.tls." + name + TRUST_STORE + " must name the certificates of the trusted"
                            + " authorities; as a variable, QUARKUS_TLS__" + Mistakes.variable(name)
                            + "__TRUST_STORE_PEM_CERTS, with two underscores around the name");
        }
        return management || plainRequests().orElse("enabled").equalsIgnoreCase("disabled")
                ? Optional.empty()
                : refused(
                        KEY,
                        PLAIN + " must be disabled, or " + MANAGEMENT
                                + " be true: otherwise the plain port would need no certificate");
    }

    /** Without a key store, Quarkus opens no port with TLS and does not say so. */
    private boolean hasNoKeyStore(String name) {
        return registry.get(name).map(TlsConfiguration::getKeyStoreOptions).isEmpty();
    }

    private static String noKeyStore(String name) {
        return Mistakes.variable(TLS) + "=" + name
                + ": this TLS configuration has no certificate of the service; write its files into QUARKUS_TLS__"
                + Mistakes.variable(name)
                + "__KEY_STORE_PEM__0__CERT and _KEY, with two underscores around names and numbers";
    }

    private Optional<String> tlsName() {
        return all.getOptionalValue(TLS, String.class);
    }

    private Optional<String> plainRequests() {
        return all.getOptionalValue(PLAIN, String.class);
    }

    private static Optional<String> refused(String key, String what) {
        return Optional.of(Mistakes.variable(key) + "=true: " + what);
    }
}
