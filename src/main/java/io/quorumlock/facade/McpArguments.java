// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.rest.FieldErrors;
import io.quorumlock.rest.ForceReason;
import io.quorumlock.rest.RequestFields;
import java.util.Optional;

/**
 * The arguments of all tools, with the rules that they have over HTTP. {@link McpTool} says which of them a tool has.
 *
 * @param agent the first part of the owner
 * @param note the second part of the owner
 * @param ownNames the names of the lease that a call extends, too
 */
record McpArguments(
        Optional<ResourceNames> names,
        Optional<Owner> agent,
        Optional<Owner> note,
        Optional<LeaseToken> token,
        Optional<Long> ttlMinutes,
        Optional<Long> waitSeconds,
        Optional<ResourceNames> ownNames,
        Optional<LeaseToken> ownToken,
        Optional<ResourcePrefix> prefix,
        Optional<ResourceName> after,
        Optional<ResourceName> name,
        Optional<ForceReason> reason,
        Optional<Long> fencingToken)
        implements RequestFields {
    private static final int PAGE = 100;
    private static final long MILLIS_OF_MINUTE = 60_000;

    @Override
    public void check(FieldErrors errors, Limits limits) {
        errors.range(
                "ttlMinutes",
                ttlMinutes,
                leastMinutes(limits),
                limits.ttlMax().toMinutes(),
                " (quorumlock.ttl.min and quorumlock.ttl.max of the service)");
        errors.range(
                "waitSeconds", waitSeconds, 0, limits.waitMax().toSeconds(), " (quorumlock.wait.max of the service)");
        errors.range("fencingToken", fencingToken, 1, FencingToken.LARGEST, "");
        errors.require(ownNames.isPresent() || ownToken.isEmpty(), "ownNames", "is required with ownToken");
        errors.require(ownToken.isPresent() || ownNames.isEmpty(), "ownToken", "is required with ownNames");
        try {
            owner();
        } catch (IllegalArgumentException tooLong) {
            errors.require(false, "note", tooLong.getMessage() + ", with the agent and \": \" before it");
        }
    }

    static long leastMinutes(Limits limits) {
        return Math.max(1, (limits.ttlMin().toMillis() + MILLIS_OF_MINUTE - 1) / MILLIS_OF_MINUTE);
    }

    Optional<Owner> owner() {
        return agent.flatMap(who -> note.map(what -> new Owner(who.label() + ": " + what.label())));
    }

    PageTerms page() {
        return new PageTerms(prefix.orElseGet(() -> new ResourcePrefix("")), after, PAGE);
    }

    ForceTerms broken() {
        return new ForceTerms(Optional.empty(), fencingToken.map(FencingToken::new));
    }
}
