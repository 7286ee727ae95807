// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The proxies of {@code http_proxy}, {@code https_proxy} and {@code no_proxy}, else those of the JVM. */
final class EnvironmentProxies extends ProxySelector {
    @Override
    public List<Proxy> select(URI uri) {
        String name = uri.getScheme().toLowerCase(Locale.ROOT) + "_proxy";
        String proxy = Text.env(name);
        if (proxy == null) {
            ProxySelector system = ProxySelector.getDefault();
            return system == null ? List.of(Proxy.NO_PROXY) : system.select(uri);
        }
        for (String entry : Objects.requireNonNullElse(Text.env("no_proxy"), "").split("[\\s,]+")) {
            String domain = entry.replaceFirst("^\\.", "");
            if (domain.equals("*")
                    || uri.getHost().equals(domain)
                    || uri.getHost().endsWith("." + domain)) {
                return List.of(Proxy.NO_PROXY);
            }
        }
        URI address;
        try {
            address = new URI(proxy.contains("://") ? proxy : "http://" + proxy);
        } catch (URISyntaxException invalid) {
            address = null;
        }
        if (address == null || address.getHost() == null) {
            // The value may contain a password.
            throw new IllegalArgumentException(name + " is not a valid URL");
        }
        int port = address.getPort() < 0 ? 80 : address.getPort();
        return List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(address.getHost(), port)));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException e) {}
}
