// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.settings.Mistakes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * The check for a port or an address that the service cannot use. Quarkus opens ports last, and its exception names neither
 * the port nor the address.
 */
final class PortCheck {
    private static final int LAST_PORT = 65_535;

    private PortCheck() {}

    static void check(Config all, Mistakes mistakes) {
        if (!all.getOptionalValue("quarkus.http.host-enabled", Boolean.class).orElse(true)) {
            return;
        }
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        if (error(host, 0).isPresent()) {
            mistakes.add("QUARKUS_HTTP_HOST=" + host
                    + ": not an address of this machine; write one, or 0.0.0.0 for all of them");
            return;
        }
        boolean plain = all.getOptionalValue("quarkus.http.insecure-requests", String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isEmpty();
        if (plain) {
            check(host, "quarkus.http.port", 8080, all, mistakes);
        }
        if (!plain
                || all.getOptionalValue("quarkus.http.tls-configuration-name", String.class)
                        .isPresent()) {
            check(host, "quarkus.http.ssl-port", 8443, all, mistakes);
        }
    }

    private static void check(String host, String key, int fallback, Config all, Mistakes mistakes) {
        int port = all.getOptionalValue(key, Integer.class).orElse(fallback);
        String setting = Mistakes.variable(key) + "=" + port;
        if (port < 0 || port > LAST_PORT) {
            mistakes.add(setting + ": not a port; write a number from 1 to " + LAST_PORT);
            return;
        }
        error(host, port)
                .ifPresent(why ->
                        mistakes.add(setting + ": cannot listen on " + host + " (" + why + "); write a free port"));
        FreePorts.reserve(port); // temporary masters start before the service listens
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
