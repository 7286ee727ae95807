// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client address of a member.
 *
 * @param host an IPv6 address without brackets
 */
public record MemberAddress(boolean isEncrypted, String host, int port) {
    /** {@link java.net.URI} allows no underscore in a host. */
    private static final Pattern FORMAT = Pattern.compile(
            "http(s?)://(?:\\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[\\w.-]+)?)]|([^\\s,/:@?#\\[\\]]+))(?::(\\d{1,5}))?/?");

    private static final int DEFAULT_PORT = 2379;
    private static final int LAST_PORT = 65_535;

    /**
     * Parses {@code http[s]://host[:port]}, with an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException with what is wrong and what to write
     */
    public static MemberAddress of(String url) {
        Matcher parts = FORMAT.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a member; write http://host:2379, or http://[::1]:2379");
        }
        int port = parts.group(4) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(4));
        if (port == 0 || port > LAST_PORT) {
            throw new IllegalArgumentException("no such port; write one from 1 to " + LAST_PORT);
        }
        String host = parts.group(2) == null ? parts.group(3) : parts.group(2);
        return new MemberAddress(!parts.group(1).isEmpty(), host.toLowerCase(Locale.ROOT), port);
    }

    /** Returns the host as in a URL. */
    String bracketedHost() {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Returns host and port. */
    @Override
    public String toString() {
        return bracketedHost() + ":" + port;
    }
}
