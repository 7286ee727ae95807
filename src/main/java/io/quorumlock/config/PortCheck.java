// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.InetAddress;
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
                    isLocal(host)
                            ? "%s=%d: cannot listen on %s:%d (%s); write a free port"
                                    .formatted(StartErrors.variable(key), port, host, port, e.getMessage())
                            : "QUARKUS_HTTP_HOST=%s: not an address of this machine; write one, or 0.0.0.0 for all"
                                    .formatted(host));
        }
    }

    /** Returns whether the machine has this address. */
    private static boolean isLocal(String host) {
        try (ServerSocket anyPort = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return anyPort.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
