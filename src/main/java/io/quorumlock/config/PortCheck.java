// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.eclipse.microprofile.config.Config;

/**
 * The check for a port that another process uses. Without it, the start fails with a stack trace, because Quarkus does not
 * recognize the exception of the native transport.
 */
final class PortCheck {
    private PortCheck() {}

    /** @throws ConfigurationException if the service cannot listen on the port */
    static void check(Config all) {
        boolean https = all.getOptionalValue("quarkus.http.insecure-requests", String.class)
                .filter("disabled"::equalsIgnoreCase)
                .isPresent();
        String key = https ? "quarkus.http.ssl-port" : "quarkus.http.port";
        int port = all.getOptionalValue(key, Integer.class).orElse(https ? 8443 : 8080);
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new ConfigurationException("cannot listen on %s:%d (%s); set %s to a free port"
                    .formatted(host, port, e.getMessage(), https ? "QUARKUS_HTTP_SSL_PORT" : "QUARKUS_HTTP_PORT"));
        }
    }
}
