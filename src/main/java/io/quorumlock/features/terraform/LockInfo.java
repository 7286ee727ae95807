// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.core.lock.Owner;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The description of a holder in the HTTP backend of Terraform and OpenTofu (LockInfo of their package statemgr), as far as a
 * waiting run shows it. The owner of the lease has all of it: {@code who operation created id}.
 *
 * @param id chosen by the holder; 1 to 48 visible ASCII characters
 * @param created in seconds; Terraform rejects a text that is not a time of RFC 3339
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record LockInfo(
        @JsonProperty("ID") String id,
        @JsonProperty("Operation") String operation,
        @JsonProperty("Created") String created,
        @JsonProperty("Who") String who) {
    static final String ID_RULE = "must have 1 to 48 visible ASCII characters";

    private static final Pattern ID = Pattern.compile("[!-~]{1,48}");
    private static final int LONGEST_OPERATION = 24;
    private static final int LONGEST_LABEL = 128;
    private static final String NONE = "-";
    /** Of a holder that is no run of Terraform. A client does not wait for a holder without an id. */
    private static final String UNKNOWN_ID = "unknown";

    /** Reads what a run sent. Members that are no strings count as missing. */
    static LockInfo of(JsonNode sent) {
        return new LockInfo(text(sent, "ID"), text(sent, "Operation"), text(sent, "Created"), text(sent, "Who"));
    }

    private static String text(JsonNode sent, String member) {
        return sent.path(member).isTextual() ? sent.get(member).textValue() : "";
    }

    static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    Owner owner() {
        String words = " " + word(operation, LONGEST_OPERATION) + " "
                + time(created).map(Instant::toString).orElse(NONE) + " " + id;
        return new Owner(word(who, LONGEST_LABEL - words.length()) + words);
    }

    /** Returns what is known of a holder. */
    static LockInfo of(Optional<Owner> holder) {
        String label = holder.map(Owner::label).orElse("");
        String[] words = label.split(" ");
        return words.length == 4 && isId(words[3])
                ? new LockInfo(
                        words[3],
                        words[1],
                        time(words[2]).map(Instant::toString).orElse(""),
                        words[0])
                : new LockInfo(UNKNOWN_ID, "", "", label);
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    /** Returns a text without spaces and other characters that a label must not have. */
    private static String word(String text, int longest) {
        String word = text.replaceAll("[^!-~]+", "_");
        return word.isEmpty() ? NONE : word.substring(0, Math.min(word.length(), longest));
    }
}
