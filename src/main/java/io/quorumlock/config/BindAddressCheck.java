package io.quorumlock.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** Tells whether strangers can reach a service that asks nobody who he is. */
final class BindAddressCheck {
    private BindAddressCheck() {}

    /** Finds the warning that is due, if one is. */
    static Optional<String> warning(QuorumlockConfig.Security security, Config all) {
        String host = all.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        boolean asks = security.keysFile().isPresent() || security.clientCertificateRequired();
        return asks || isLoopback(host)
                ? Optional.empty()
                : Optional.of(
                        "open to the network host=" + host + ": whoever reaches the port may take and break locks. Set"
                                + " quorumlock.security.keys-file to ask for keys, or QUARKUS_HTTP_HOST=127.0.0.1 to listen on"
                                + " loopback only");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
