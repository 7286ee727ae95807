// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;

/**
 * A problem document (RFC 9457).
 *
 * @param detail for people; contains neither texts of exceptions nor tokens
 * @param members additional members for programs, in this order
 */
@JsonPropertyOrder({"type", "title", "status", "detail"})
public record Problem(@JsonIgnore ProblemType kind, String detail, @JsonIgnore Map<String, Object> members) {

    public Problem(ProblemType kind, String detail) {
        this(kind, detail, Map.of());
    }

    public String getType() {
        return kind.uri();
    }

    public String getTitle() {
        return kind.title();
    }

    public int getStatus() {
        return kind.status();
    }

    @JsonAnyGetter
    public Map<String, Object> getMembers() {
        return members;
    }

    /**
     * The error of one field.
     *
     * @param field the name that the client used; "body" or "query" if the name could not be read
     * @param detail the rule that the value breaks
     */
    public record FieldError(String field, String detail) {}
}
