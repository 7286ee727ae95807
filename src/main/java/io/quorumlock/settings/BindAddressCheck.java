// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** The check of who can reach the service, and under which names. */
public final class BindAddressCheck {
    private BindAddressCheck() {}

    /**
     * Refuses a service that is open to the network by accident.
     *
     * @param trial whether the servers of the engine are temporary ones
     */
    public static void check(QuorumlockConfig.Security security, boolean trial, Config all, Mistakes mistakes) {
        security.hosts().stream()
                .flatMap(Collection::stream)
                .filter(host -> host.matches(".*[/:\\s].*"))
                .forEach(host -> mistakes.refuse(
                        "security.hosts", host, "not a host name; write it without scheme, port, path and spaces"));
        mistakes.checkNeeds(
                "security.metrics-need-key",
                Optional.of(security.metricsNeedKey()).filter(needed -> needed),
                "security.keys-file",
                security.keysFile());
        if (isOpen(security, all) && !security.open() && !trial) {
            mistakes.add("QUARKUS_HTTP_HOST=" + host(all)
                    + ": every client that reaches it could take and break locks;"
                    + " write QUORUMLOCK_SECURITY_KEYS_FILE=file to require API keys,"
                    + " or QUARKUS_HTTP_HOST=127.0.0.1 to listen on loopback only,"
                    + " or QUORUMLOCK_SECURITY_OPEN=true if this is intended");
        }
    }

    /** Returns a warning for the log if the service is open to the network on purpose. */
    public static Optional<String> warning(QuorumlockConfig.Security security, Config all) {
        return isOpen(security, all)
                ? Optional.of("open to the network host=" + host(all)
                        + ": every client that reaches the port can take and break locks")
                : Optional.empty();
    }

    private static boolean isOpen(QuorumlockConfig.Security security, Config all) {
        boolean authenticated = security.keysFile().isPresent() || security.clientCertificateRequired();
        return !authenticated && !isLoopback(host(all));
    }

    private static String host(Config all) {
        return all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
