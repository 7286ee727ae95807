// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.embedded.FreePorts;
import io.quorumlock.settings.Mistakes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * The check for a port or an address that the service cannot use. Without it, the start fails with a stack trace, because
 * Quarkus does not recognize the exception of the native transport.
 */
final class PortCheck {
    private static final int LAST_PORT = 65_535;

    private PortCheck() {}

    /** @throws ConfigurationException if the service cannot listen on one of its ports */
    static void check(Config all) {
        if (!all.getOptionalValue("quarkus.http.host-enabled", Boolean.class).orElse(true)) {
            return;
        }
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        if (error(host, 0).isPresent()) {
            throw new ConfigurationException("QUARKUS_HTTP_HOST=" + host
                    + ": not an address of this machine; write one, or 0.0.0.0 for all of them");
        }
        boolean plain = all.getOptionalValue("quarkus.http.insecure-requests", String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isEmpty();
        boolean tls = !plain
                || all.getOptionalValue("quarkus.http.tls-configuration-name", String.class)
                        .isPresent();
        Mistakes.runAll(
                () -> check(plain, host, "quarkus.http.port", port(all, "quarkus.http.port", 8080)),
                () -> check(tls, host, "quarkus.http.ssl-port", port(all, "quarkus.http.ssl-port", 8443)));
    }

    private static int port(Config all, String key, int fallback) {
        return all.getOptionalValue(key, Integer.class).orElse(fallback);
    }

    private static void check(boolean used, String host, String key, int port) {
        if (used && (port < 0 || port > LAST_PORT)) {
            throw new ConfigurationException(
                    Mistakes.variable(key) + "=" + port + ": not a port; write a number from 1 to " + LAST_PORT);
        }
        if (used) {
            error(host, port).ifPresent(why -> {
                throw new ConfigurationException(Mistakes.variable(key) + "=" + port + ": cannot listen on " + host
                        + " (" + why + "); write a free port");
            });
            FreePorts.reserve(port); // temporary masters start before the service listens
        }
    }

    private static Optional<String> error(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
