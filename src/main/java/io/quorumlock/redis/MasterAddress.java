// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The address and credentials of a master.
 *
 * @param url {@code redis[s]://[[user]:password@]host[:port]}, the password percent-encoded
 */
public record MasterAddress(String url) {
    private static final int DEFAULT_PORT = 6379;

    public MasterAddress {
        URI uri = parse(url);
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("has a # that is not percent-encoded; write %23");
        }
        if (!"redis".equals(uri.getScheme()) && !"rediss".equals(uri.getScheme())) {
            throw new IllegalArgumentException("must begin with redis:// or rediss://");
        }
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("must name a host, as in redis://host:6379");
        }
        if (uri.getPath() != null && uri.getPath().length() > 1) {
            throw new IllegalArgumentException("must not name a database; only database 0 is supported");
        }
        if (uri.getRawQuery() != null) {
            throw new IllegalArgumentException("must not have a query");
        }
    }

    /** Returns whether the connection is encrypted. */
    boolean isEncrypted() {
        return url.startsWith("rediss:");
    }

    /** Returns the server without credentials. */
    public String hostAndPort() {
        URI uri = URI.create(url);
        int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    /** Returns a list of servers as text, which depends neither on their order nor on credentials. */
    static String list(List<MasterAddress> addresses) {
        return addresses.stream().map(MasterAddress::hostAndPort).sorted().collect(Collectors.joining(","));
    }

    private static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            // The message of the exception would contain the password.
            throw new IllegalArgumentException("is not a URL");
        }
    }

    /** Hides the credentials. */
    @Override
    public String toString() {
        return hostAndPort();
    }
}
