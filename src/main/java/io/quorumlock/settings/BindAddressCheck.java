// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** The checks for a service that is reachable over the network without authentication. */
public final class BindAddressCheck {
    private static final String KEYS_FILE = "quorumlock.security.keys-file";

    private BindAddressCheck() {}

    /**
     * Returns a warning for the log if the service is open to the network on purpose.
     *
     * @param trial whether the masters are temporary ones
     * @throws ConfigurationException if it is open by accident
     */
    public static Optional<String> check(QuorumlockConfig.Security security, boolean trial, Config all) {
        if (security.keysFile().isEmpty() && all.getConfigValue(KEYS_FILE).getRawValue() != null) {
            // For example an unset variable in a template. Without this check authentication would be off.
            throw new ConfigurationException(
                    Mistakes.variable(KEYS_FILE) + "=: empty; write a file, or remove the variable");
        }
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        boolean authenticated = security.keysFile().isPresent() || security.clientCertificateRequired();
        if (authenticated || isLoopback(host)) {
            return Optional.empty();
        }
        if (!security.open() && !trial) {
            throw new ConfigurationException("QUARKUS_HTTP_HOST=" + host
                    + ": every client that reaches it could take and break locks;"
                    + " write QUORUMLOCK_SECURITY_KEYS_FILE=file to require API keys,"
                    + " or QUARKUS_HTTP_HOST=127.0.0.1 to listen on loopback only,"
                    + " or QUORUMLOCK_SECURITY_OPEN=true if this is intended");
        }
        return Optional.of(
                "open to the network host=" + host + ": every client that reaches the port can take and break locks");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
