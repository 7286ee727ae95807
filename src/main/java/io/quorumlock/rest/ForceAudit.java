// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Owner;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The audit log of forced releases, including unsuccessful ones, in its own log category. */
final class ForceAudit {
    private static final Logger LOG = Logger.getLogger("io.quorumlock.audit");

    private ForceAudit() {}

    static void log(ForceRequest request, int status, ForcedRelease outcome) {
        LOG.warn(line(request, status, outcome));
    }

    static String line(ForceRequest request, int status, ForcedRelease outcome) {
        StringBuilder line = new StringBuilder("forced release status=").append(status);
        add(line, "resource", request.resource().text());
        owner(outcome).ifPresent(owner -> add(line, "owner", owner.label()));
        add(line, "reason", request.reason().text());
        request.key().ifPresent(key -> add(line, "key", key.text()));
        add(line, "client", request.client());
        request.requestId().ifPresent(id -> add(line, "request_id", id));
        return line.toString();
    }

    private static void add(StringBuilder line, String key, String value) {
        line.append(' ').append(key).append('=').append(LogSanitizer.quoted(value));
    }

    private static Optional<Owner> owner(ForcedRelease outcome) {
        return switch (outcome.kind()) {
            case BROKEN -> ((ForcedRelease.Broken) outcome).owner();
            case UNCONFIRMED -> ((ForcedRelease.Unconfirmed) outcome).owner();
            case FREE, LEFT_ALONE, NO_QUORUM -> Optional.empty();
        };
    }
}
