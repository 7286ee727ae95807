// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.Login;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The address and credentials of a master.
 *
 * @param url {@code redis[s]://[[user]:password@]host[:port]}, the password percent-encoded
 */
public record MasterAddress(String url) {
    private static final int DEFAULT_PORT = 6379;
    private static final String DEFAULT_USER = "default";
    private static final int LAST_PORT = 65_535;

    /** @throws IllegalArgumentException with what is wrong and what to write, without the URL, which has the password */
    public MasterAddress {
        if (!url.matches("rediss?://.*")) {
            throw new IllegalArgumentException("does not begin with redis:// or rediss://; write redis://host:6379");
        }
        if (url.matches(".*://.*://.*")) {
            throw new IllegalArgumentException("has several addresses; separate them with commas");
        }
        URI uri = parse(url);
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("has a #; write %23 for a # of the password");
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > LAST_PORT) {
            throw noAddress();
        }
        if (uri.getRawUserInfo() != null && !uri.getRawUserInfo().matches("[^:]*:.+")) {
            throw new IllegalArgumentException(
                    "has a user without a password; write redis://user:password@host:6379, or redis://:password@host:6379");
        }
        if (uri.getPath().length() > 1) {
            throw new IllegalArgumentException("has a path or a database number; end it after the port");
        }
        if (uri.getRawQuery() != null) {
            throw new IllegalArgumentException("has a query; end it after the port");
        }
    }

    /** Returns whether the connection is encrypted. */
    public boolean isEncrypted() {
        return url.startsWith("rediss:");
    }

    /** Returns the credentials; empty if the address has none. */
    Optional<Login> login() {
        return Optional.ofNullable(URI.create(url).getRawUserInfo())
                .map(info -> info.split(":", 2))
                .map(parts -> new Login(parts[0].isEmpty() ? DEFAULT_USER : decoded(parts[0]), decoded(parts[1])));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Returns the server without credentials. */
    public String hostAndPort() {
        URI uri = URI.create(url);
        int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    /** Returns a list of servers as text, which depends neither on their order nor on credentials. */
    public static String list(List<MasterAddress> addresses) {
        return addresses.stream().map(MasterAddress::hostAndPort).sorted().collect(Collectors.joining(","));
    }

    /** Returns the place of this server in such a list, which is the same on all replicas. */
    public int placeIn(String list) {
        return List.of(list.split(",")).indexOf(hostAndPort()) + 1;
    }

    private static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            // The message of the exception would contain the password.
            throw noAddress();
        }
    }

    private static IllegalArgumentException noAddress() {
        return new IllegalArgumentException("is not an address; write redis://user:password@host:6379: percent-encode"
                + " the password, use no underscore in the host, and separate addresses with commas");
    }

    /** Hides the credentials. */
    @Override
    public String toString() {
        return hostAndPort();
    }
}
