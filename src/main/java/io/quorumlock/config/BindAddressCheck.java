package io.quorumlock.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** The check for a service that is reachable over the network without authentication. */
final class BindAddressCheck {
    private BindAddressCheck() {}

    /** Returns a warning for the log; empty if keys or certificates are required, or if only loopback is open. */
    static Optional<String> warning(QuorumlockConfig.Security security, Config all) {
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        boolean authenticated = security.keysFile().isPresent() || security.clientCertificateRequired();
        return authenticated || isLoopback(host)
                ? Optional.empty()
                : Optional.of("open to the network host=" + host
                        + ": every client that reaches the port can take and break locks. Set"
                        + " quorumlock.security.keys-file to require API keys, or QUARKUS_HTTP_HOST=127.0.0.1 to listen"
                        + " on loopback only");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
