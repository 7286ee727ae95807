// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.Problems;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A machine that takes a slot of its group, or gives it back.
 *
 * @param id 1 to 100 characters without control characters
 * @param lock of the group
 */
record Machine(String id, String group, ResourceName lock) {
    private static final String PREFIX = "fleetlock/";
    private static final Pattern GROUP = Pattern.compile("[a-zA-Z0-9.-]+");
    /** Leaves room for the time in the label of an owner. */
    private static final int LONGEST_ID = 100;

    /**
     * Returns the machine of a request. Further members of its body are ignored.
     *
     * @throws ProblemException if it is not valid
     */
    static Machine of(JsonNode body) {
        JsonNode parameters = body.path("client_params");
        if (!parameters.isObject()) {
            throw invalid("client_params", "must be an object with the strings id and group");
        }
        String id = text(parameters, "id");
        if (!isId(id)) {
            throw invalid("client_params.id", "must have 1 to " + LONGEST_ID + " characters, none a control character");
        }
        String group = text(parameters, "group");
        return new Machine(id, group, lock(group));
    }

    private static String text(JsonNode parameters, String member) {
        JsonNode value = parameters.path(member);
        if (!value.isTextual()) {
            throw invalid("client_params." + member, "must be a string");
        }
        return value.textValue();
    }

    private static boolean isId(String text) {
        try {
            return text.length() <= LONGEST_ID && !new Owner(text).label().isEmpty();
        } catch (IllegalArgumentException invalid) {
            return false;
        }
    }

    private static ResourceName lock(String group) {
        if (!GROUP.matcher(group).matches()) {
            throw invalid("client_params.group", "must have letters, digits, \".\" and \"-\" only, and at least one");
        }
        try {
            return new ResourceName(PREFIX + group);
        } catch (IllegalArgumentException invalid) {
            throw invalid("client_params.group", invalid.getMessage());
        }
    }

    private static ProblemException invalid(String field, String rule) {
        return new ProblemException(Problems.invalidRequest(field, rule));
    }

    /**
     * Returns the owner of a lease that begins. The token of the lease is derived from it, so each lease needs another one: the
     * service repeats a release that a server did not confirm, which would end a later lease with the same token.
     */
    Owner ownerAt(Instant time) {
        return new Owner(id + " " + time.truncatedTo(ChronoUnit.MICROS));
    }

    /** Returns whether an owner is this machine, since any time. */
    boolean is(Optional<Owner> owner) {
        String label = owner.map(Owner::label).orElse("");
        return label.startsWith(id + " ") && label.lastIndexOf(' ') == id.length();
    }
}
