// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
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
import java.util.Set;

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
    private static final Set<String> LABEL = Set.of("agent", "note");

    /** Returns the argument as a field of the HTTP API, which takes less: 30.0 is an integer of JSON Schema, and labels may be long. */
    static JsonNode adapted(String name, JsonNode value) {
        if (value.isDouble() && value.canConvertToExactIntegral()) {
            return LongNode.valueOf(value.longValue());
        }
        return LABEL.contains(name) && value.isTextual() ? TextNode.valueOf(cut(value.textValue())) : value;
    }

    /** Cuts a label that is too long, because an agent cannot count characters, and another call would cost it more. */
    private static String cut(String label) {
        if (label.length() <= Owner.LONGEST) {
            return label;
        }
        int end = Owner.LONGEST - 1;
        return label.substring(0, Character.isHighSurrogate(label.charAt(end - 1)) ? end - 1 : end) + "…";
    }

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
    }

    static long leastMinutes(Limits limits) {
        return Math.max(1, (limits.ttlMin().toMillis() + MILLIS_OF_MINUTE - 1) / MILLIS_OF_MINUTE);
    }

    Optional<Owner> owner() {
        return agent.flatMap(who -> note.map(what -> new Owner(cut(who.label() + ": " + what.label()))));
    }

    PageTerms page() {
        return new PageTerms(prefix.orElseGet(() -> new ResourcePrefix("")), after, PAGE);
    }

    ForceTerms broken() {
        return new ForceTerms(Optional.empty(), fencingToken.map(FencingToken::new));
    }
}
