// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.eclipse.microprofile.config.Config;

/**
 * The check for a port or an address that the service cannot use. Without it, the start fails with a stack trace, because
 * Quarkus does not recognize the exception of the native transport.
 */
final class PortCheck {
    private PortCheck() {}

    /** @throws ConfigurationException if the service cannot listen on the port */
    static void check(Config all) {
        if (!all.getOptionalValue("quarkus.http.host-enabled", Boolean.class).orElse(true)) {
            return;
        }
        boolean https = all.getOptionalValue("quarkus.http.insecure-requests", String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isPresent();
        String key = https ? "quarkus.http.ssl-port" : "quarkus.http.port";
        int port = all.getOptionalValue(key, Integer.class).orElse(https ? 8443 : 8080);
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new ConfigurationException(
                    "QUARKUS_HTTP_HOST=%s %s=%d: cannot listen (%s); write an address of this machine and a free port"
                            .formatted(host, StartErrors.variable(key), port, e.getMessage()));
        }
    }
}
