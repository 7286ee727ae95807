package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/** The run-time setting for client certificates. The one of Quarkus is fixed at build time. */
@Singleton
final class ClientCertificates implements HttpServerOptionsCustomizer {
    private static final String KEY = "quorumlock.security.client-certificate-required";
    private static final String TLS = "quarkus.http.tls-configuration-name";
    private static final String PLAIN = "quarkus.http.insecure-requests";

    private final boolean required;
    private final Config all;

    ClientCertificates(QuorumlockConfig config, Config all) {
        this.required = config.security().clientCertificateRequired();
        this.all = all;
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        if (required) {
            options.setClientAuth(ClientAuth.REQUIRED);
        }
    }

    /** Rejects settings with which certificates would not be checked. */
    void check() {
        if (!required) {
            return;
        }
        String name = all.getOptionalValue(TLS, String.class)
                .orElseThrow(() -> refused(TLS + " must name the TLS configuration that has the certificates"));
        String trust = "quarkus.tls." + name + ".trust-store.";
        boolean trusted = StreamSupport.stream(all.getPropertyNames().spliterator(), false)
                .anyMatch(property -> asVariable(property).startsWith(asVariable(trust)));
        if (!trusted) {
            throw refused(trust + "pem.certs must name the certificates of the trusted authorities");
        }
        if (!all.getOptionalValue(PLAIN, String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isPresent()) {
            throw refused(PLAIN + " must be disabled, or the plain port would need no certificate");
        }
    }

    /** Returns the name as an environment variable: properties may be listed in either form, with or without quotes. */
    private static String asVariable(String property) {
        return property.replaceAll("[^A-Za-z0-9]+", "_").toUpperCase(Locale.ROOT);
    }

    private static ConfigurationException refused(String what) {
        return new ConfigurationException(KEY + " is true: " + what);
    }
}
