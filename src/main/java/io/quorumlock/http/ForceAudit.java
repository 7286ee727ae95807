// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.keys.KeyId;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The entry of a forced release in the audit log, which has its own category. Unsuccessful ones are logged too.
 *
 * @param owner of the leases to break; empty for those of any owner
 * @param fencingToken of the leases to break; empty for those with any
 * @param client address of the client; behind a trusted proxy the one that the proxy reports
 * @param requestId from the header X-Request-Id
 * @param key id of the API key; empty if authentication is off
 */
record ForceAudit(
        ResourceName resource,
        Optional<Owner> owner,
        Optional<Long> fencingToken,
        ForceReason reason,
        String client,
        Optional<String> requestId,
        Optional<KeyId> key) {
    private static final Logger LOG = Logger.getLogger("io.quorumlock.audit");

    static ForceAudit of(
            ResourceName resource, ForceTerms terms, ForceReason reason, Access access, HttpServerRequest request) {
        String client =
                Optional.ofNullable(request.remoteAddress().hostAddress()).orElse("local");
        return new ForceAudit(
                resource,
                terms.owner(),
                terms.fence().map(FencingToken::number),
                reason,
                client,
                RequestId.of(request),
                access.key());
    }

    void log(int status, ForcedRelease outcome) {
        LOG.warn(line(status, outcome));
    }

    String line(int status, ForcedRelease outcome) {
        StringBuilder line = new StringBuilder("forced release status=").append(status);
        add(line, "resource", resource.text());
        broken(outcome).or(() -> owner).ifPresent(holder -> add(line, "owner", holder.label()));
        fencingToken.ifPresent(token -> line.append(" fencing_token=").append(token));
        add(line, "reason", reason.text());
        key.ifPresent(id -> add(line, "key", id.text()));
        add(line, "client", client);
        requestId.ifPresent(id -> add(line, "request_id", id));
        return line.toString();
    }

    private static void add(StringBuilder line, String key, String value) {
        line.append(' ').append(key).append('=').append(LogSanitizer.quoted(value));
    }

    /** Returns the owner of the broken lease, if it is one. */
    private static Optional<Owner> broken(ForcedRelease outcome) {
        return switch (outcome.kind()) {
            case BROKEN -> ((ForcedRelease.Broken) outcome).owner();
            case UNCONFIRMED -> ((ForcedRelease.Unconfirmed) outcome).owner();
            case FREE, LEFT_ALONE, NO_QUORUM -> Optional.empty();
        };
    }
}
