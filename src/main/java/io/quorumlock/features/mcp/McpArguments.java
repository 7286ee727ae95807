// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.FieldErrors;
import io.quorumlock.http.ForceReason;
import io.quorumlock.http.RequestFields;
import io.quorumlock.http.RequestReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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
    /** Arrays and numbers, which some clients write as text: "[\\"a\\"]" and "5". */
    private static final Set<String> NO_TEXT = Set.of("names", "ownNames", "ttlMinutes", "waitSeconds", "fencingToken");

    private static final Pattern LINE_BREAK = Pattern.compile("\\R");
    private static final String CUT = "…";

    /** Returns the argument as a field of the HTTP API, which takes less: 30.0 is an integer of JSON Schema, and labels may be long. */
    static JsonNode adapted(String name, JsonNode value, RequestReader reader) {
        if (value.isTextual()) {
            return LABEL.contains(name)
                    ? TextNode.valueOf(cut(value.textValue()))
                    : NO_TEXT.contains(name) ? whole(parsed(value, reader)) : value;
        }
        return whole(value);
    }

    private static JsonNode whole(JsonNode value) {
        return value.isDouble() && value.canConvertToExactIntegral() ? LongNode.valueOf(value.longValue()) : value;
    }

    private static JsonNode parsed(JsonNode text, RequestReader reader) {
        try {
            JsonNode value = reader.parse(text.textValue().getBytes(StandardCharsets.UTF_8));
            return value.isArray() || value.isNumber() ? value : text;
        } catch (IOException plainText) {
            return text;
        }
    }

    /** Cuts a label that is too long or has several lines, because another call would cost an agent more. */
    private static String cut(String label) {
        String[] lines = LINE_BREAK.split(label.strip(), 2);
        String line = lines.length > 1 ? lines[0] + CUT : lines[0];
        if (line.length() <= Owner.LONGEST) {
            return line;
        }
        int end = Owner.LONGEST - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + CUT;
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
