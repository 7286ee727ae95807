package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/** Asks clients for certificates. Quarkus' own setting is fixed when the service is built, and this one is not. */
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

    /** Refuses what would look like a check and be none. */
    void check() {
        if (!required) {
            return;
        }
        String name = all.getOptionalValue(TLS, String.class)
                .orElseThrow(() -> refused(TLS + " must name the TLS configuration that has the certificates"));
        String trust = "quarkus.tls." + name + ".trust-store.";
        boolean vouched = StreamSupport.stream(all.getPropertyNames().spliterator(), false)
                .anyMatch(property -> asVariable(property).startsWith(asVariable(trust)));
        if (!vouched) {
            throw refused(trust + "pem.certs must name the certificates that vouch for clients");
        }
        if (!all.getOptionalValue(PLAIN, String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isPresent()) {
            throw refused(PLAIN + " must be disabled, or the plain port would ask nobody");
        }
    }

    /** Properties are listed by their names, in quotes or not, and variables by theirs. */
    private static String asVariable(String property) {
        return property.replaceAll("[^A-Za-z0-9]+", "_").toUpperCase(Locale.ROOT);
    }

    private static ConfigurationException refused(String what) {
        return new ConfigurationException(KEY + " is true; then " + what);
    }
}
