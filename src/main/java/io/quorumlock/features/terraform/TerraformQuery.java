// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.Problems;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names of locks of Terraform, and the query of their URLs. */
@Singleton
final class TerraformQuery {
    private static final String PREFIX = "terraform/";
    private static final String TTL = "ttlMs";
    private static final String ID = "ID";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}");

    private final TerraformConfig settings;
    private final Limits limits;

    TerraformQuery(TerraformConfig settings, Limits limits) {
        this.settings = settings;
        this.limits = limits;
    }

    /**
     * Returns the name of the lock of a state.
     *
     * @throws ProblemException if it is not valid
     */
    static ResourceName lockOf(String state) {
        try {
            return new ResourceName(PREFIX + state);
        } catch (IllegalArgumentException invalid) {
            throw new ProblemException(Problems.invalidResource(invalid.getMessage()));
        }
    }

    /**
     * Returns the TTL that the URL of a lock names, or the one of the settings.
     *
     * @throws ProblemException if the query is not valid
     */
    Duration ttlOfLock(RoutingContext request) {
        return ttl(request, List.of(TTL));
    }

    /**
     * Returns the TTL that the URL of a state names, or the one of the settings.
     *
     * @throws ProblemException if the query is not valid
     */
    Duration ttlOfSave(RoutingContext request) {
        return ttl(request, List.of(TTL, ID));
    }

    private Duration ttl(RoutingContext request, List<String> known) {
        MultiMap query = query(request);
        for (String name : query.names()) {
            if (!known.contains(name)) {
                throw new ProblemException(
                        Problems.invalidRequest(name, "is unknown; the query may have " + String.join(" and ", known)));
            }
            if (query.getAll(name).size() > 1) {
                throw new ProblemException(Problems.invalidRequest(name, "must be given once"));
            }
        }
        return Optional.ofNullable(query.get(TTL)).map(this::ttl).orElse(settings.ttl());
    }

    private Duration ttl(String text) {
        Duration ttl = NUMBER.matcher(text).matches() ? Duration.ofMillis(Long.parseLong(text)) : Duration.ZERO;
        if (ttl.compareTo(limits.ttlMin()) < 0 || ttl.compareTo(limits.ttlMax()) > 0) {
            throw new ProblemException(Problems.invalidRequest(
                    TTL,
                    "must be from " + limits.ttlMin().toMillis() + " to "
                            + limits.ttlMax().toMillis() + " (quorumlock.ttl.min and quorumlock.ttl.max)"));
        }
        return ttl;
    }

    /** Returns the id of the run that saves a state. */
    static Optional<String> id(RoutingContext request) {
        return Optional.ofNullable(query(request).get(ID)).filter(LockInfo::isId);
    }

    /** Returns whether the request is about a lock, although its method may also save a state: a save has an id in its URL. */
    static boolean isLock(RoutingContext request) {
        return request.request().method() == HttpMethod.PUT && !query(request).contains(ID);
    }

    /**
     * Refuses a read that was a lock or a save before a redirect: the tools repeat it as GET, and take the answer for success. A
     * redirected call has the header Referer, and a save has an id, which no other read has.
     *
     * @throws ProblemException with the address after the redirect
     */
    static void refuseRedirected(RoutingContext request) {
        if (request.request().headers().contains(HttpHeaders.REFERER)
                || query(request).contains(ID)) {
            // Almost every redirect leads to https, which a proxy may hide from this service.
            String end = "https://" + request.request().authority()
                    + request.request().path();
            throw new ProblemException(Problems.invalidRequest(
                    "address",
                    "was redirected, which makes a lock or a save a read; write the final address, as in " + end
                            + ", into address, lock_address and unlock_address"));
        }
    }

    private static MultiMap query(RoutingContext request) {
        try {
            return request.request().params(true);
        } catch (IllegalArgumentException malformed) {
            throw new ProblemException(Problems.invalidRequest("query", "must be percent-encoded"));
        }
    }
}
