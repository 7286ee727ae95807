// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The protection against pages of other sites that send requests through the browser of somebody in the network. A page
 * may send simple requests to any address (CSRF), and may get an address of this network for its own name (DNS rebinding).
 * Other clients send no {@code Origin}, and the host of their URL.
 */
public final class BrowserGuard {
    /** A page cannot get these names, or has an {@code Origin} with the same host. */
    private static final List<String> LOCAL_SUFFIXES = List.of(".localhost", ".svc", ".svc.cluster.local");

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final boolean frameworkChecksOrigins;
    private final boolean checksHosts;
    private final Set<String> hosts;
    /** The host that was accepted last, because most requests name the same one. */
    private volatile String accepted = "";

    /**
     * @param frameworkChecksOrigins whether the CORS filter of Quarkus is enabled, which then decides about origins
     * @param checksHosts whether requests need no key, which a page of another name does not have
     * @param hosts further names of this service, in lower case
     */
    public BrowserGuard(boolean frameworkChecksOrigins, boolean checksHosts, Set<String> hosts) {
        this.frameworkChecksOrigins = frameworkChecksOrigins;
        this.checksHosts = checksHosts;
        this.hosts = hosts;
    }

    /** @throws ProblemException if a page of another site may have sent the request */
    void check(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        if (request.headers().getAll(HttpHeaders.HOST).size() > 1) {
            throw new ProblemException(Problems.invalidRequest("request", "must have one header Host"));
        }
        if (!frameworkChecksOrigins && isCrossOrigin(request, authority)) {
            throw new ProblemException(Problems.crossOrigin());
        }
        if (checksHosts && authority != null && !authority.host().equals(accepted)) {
            if (!isOwn(authority.host().toLowerCase(Locale.ROOT))) {
                throw new ProblemException(Problems.unknownHost(authority.host()));
            }
            accepted = authority.host();
        }
    }

    private static boolean isCrossOrigin(HttpServerRequest request, HostAndPort authority) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN_SITES.contains(site)) {
            return true;
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin != null && (authority == null || !isOf(origin, authority));
    }

    /** Ignores the scheme, because a proxy may have terminated TLS. */
    private static boolean isOf(String origin, HostAndPort authority) {
        int start = origin.indexOf("://");
        if (start < 0) {
            return false;
        }
        HostAndPort named = HostAndPort.parseAuthority(origin.substring(start + "://".length()), -1);
        int port = origin.startsWith("https:") ? 443 : 80;
        return named != null
                && named.host().equalsIgnoreCase(authority.host())
                && (named.port() < 0 ? port : named.port()) == (authority.port() < 0 ? port : authority.port());
    }

    private boolean isOwn(String host) {
        return host.indexOf('.') < 0
                || host.startsWith("[")
                || IPV4.matcher(host).matches()
                || LOCAL_SUFFIXES.stream().anyMatch(host::endsWith)
                || hosts.contains(host);
    }
}
