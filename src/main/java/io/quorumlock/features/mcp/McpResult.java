// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.http.Answer;
import io.quorumlock.http.Problem;
import io.quorumlock.http.Problem.FieldError;
import io.quorumlock.http.ProblemType;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a tool.
 *
 * @param text what happened, and what to do next
 * @param fields the same for programs
 */
record McpResult(ToolOutcome outcome, String text, Object fields) {

    /** Returns the result of a call that is answered with a problem over HTTP. */
    static McpResult of(Answer answer) {
        Problem problem = (Problem) answer.body().orElseThrow();
        boolean lost = problem.kind() == ProblemType.LEASE_NOT_FOUND || problem.kind() == ProblemType.NOT_OWNER;
        ToolOutcome outcome =
                lost ? ToolOutcome.LOST : answer.status() < 500 ? ToolOutcome.REFUSED : ToolOutcome.FAILED;
        String seconds = answer.headers().get("Retry-After");
        String text = problem.getTitle() + ". " + problem.detail() + errors(problem)
                + (seconds == null ? "" : " Try again in " + seconds + " s.");
        return new McpResult(outcome, text, problem.members());
    }

    /** Returns the errors of the arguments, unless the detail is the only one. */
    private static String errors(Problem problem) {
        return problem.members().get("errors") instanceof List<?> errors && errors.size() > 1
                ? errors.stream()
                        .map(FieldError.class::cast)
                        .map(error -> " " + error.field() + " " + error.detail() + ".")
                        .collect(Collectors.joining())
                : "";
    }

    /** Adds what a client must do that lost its lease. */
    McpResult ifLost(String advice) {
        return outcome == ToolOutcome.LOST ? new McpResult(outcome, text + " " + advice, fields) : this;
    }

    /** Returns the result of a call that also extended the lease of its client, if it did. */
    McpResult after(McpResult extension) {
        Map<String, Object> both = new LinkedHashMap<>();
        both.put("own", extension.fields);
        both.put("found", fields);
        return new McpResult(
                extension.outcome == ToolOutcome.DONE ? outcome : extension.outcome,
                extension.text + "\n" + text,
                both);
    }

    /** Returns the JSON of the result. Many clients show only the texts to their model, so the fields are one, too. */
    Map<String, Object> json(ObjectMapper json) {
        Map<String, Object> result = new LinkedHashMap<>();
        try {
            result.put("content", List.of(content(text), content(json.writeValueAsString(fields))));
        } catch (JsonProcessingException bug) {
            throw new UncheckedIOException(bug);
        }
        result.put("structuredContent", fields);
        result.put("isError", outcome != ToolOutcome.DONE);
        return result;
    }

    private static Map<String, String> content(String text) {
        return Map.of("type", "text", "text", text);
    }
}
