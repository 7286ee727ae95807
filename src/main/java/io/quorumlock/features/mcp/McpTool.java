// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.FieldErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tools of agents, with the arguments that each requires and those that it takes. */
public enum McpTool {
    ACQUIRE(
            "Take the locks of all names, or none if one is held. Do this before you change what they stand for, for"
                    + " everything that you will change at once. Returns a token, which extends and releases the locks.",
            List.of("names", "agent", "note"),
            List.of("ttlMinutes", "waitSeconds")),
    EXTEND(
            "Keep your locks for longer. Call it in the first half of the time that you have left.",
            List.of("names", "token"),
            List.of("ttlMinutes")),
    RELEASE(
            "Give your locks back, as soon as you have finished or given up the work.",
            List.of("names", "token"),
            List.of()),
    CHECK(
            "See who holds locks, for what, since when and how long. With ownNames and ownToken, it also extends your own"
                    + " locks and says if you have lost them: do this before you write.",
            List.of("names"),
            List.of("ownNames", "ownToken")),
    LIST(
            "See all held locks whose names begin with a prefix, 100 at a time. With ownNames and ownToken, it also"
                    + " extends your own locks.",
            List.of(),
            List.of("prefix", "after", "ownNames", "ownToken")),
    BREAK(
            "Take a lock away from its holder, which may still be writing. Only if a human told you to. The reason is"
                    + " logged.",
            List.of("name", "reason"),
            List.of("fencingToken"));

    private final String description;
    private final List<String> required;
    private final List<String> optional;

    McpTool(String description, List<String> required, List<String> optional) {
        this.description = description;
        this.required = required;
        this.optional = optional;
    }

    /** Returns the tool with this name, in lower case. */
    static Optional<McpTool> of(String name) {
        return Stream.of(values()).filter(tool -> tool.toString().equals(name)).findAny();
    }

    /** Returns the name for agents and metrics. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Adds errors for missing and unknown arguments, and removes those. */
    void check(ObjectNode arguments, FieldErrors errors) {
        required.forEach(name -> errors.require(arguments.hasNonNull(name), name, "is required"));
        errors.removeUnknown(
                arguments, Stream.concat(required.stream(), optional.stream()).collect(Collectors.toSet()));
    }

    /** Returns the descriptions of all tools in the form of {@code tools/list}. An argument has the same schema in all tools. */
    static JsonNode descriptions(Limits limits) {
        try (InputStream schema = McpTool.class.getResourceAsStream("arguments.json.format")) {
            String text = new String(schema.readAllBytes(), StandardCharsets.UTF_8);
            JsonNode arguments = new ObjectMapper()
                    .readTree(text.formatted(
                            ResourceNames.MOST,
                            McpArguments.leastMinutes(limits),
                            limits.ttlMax().toMinutes(),
                            limits.waitMax().toSeconds(),
                            Owner.LONGEST));
            ArrayNode tools = JsonNodeFactory.instance.arrayNode();
            Stream.of(values()).forEach(tool -> tools.add(tool.description(arguments)));
            return tools;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode description(JsonNode arguments) {
        ObjectNode tool = JsonNodeFactory.instance.objectNode();
        tool.put("name", toString()).put("description", description);
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object").put("additionalProperties", false);
        ArrayNode names = schema.putArray("required");
        required.forEach(names::add);
        ObjectNode properties = schema.putObject("properties");
        Stream.concat(required.stream(), optional.stream()).forEach(name -> properties.set(name, arguments.get(name)));
        // With ownToken, check and list extend a lease: no tool is read-only.
        tool.putObject("annotations")
                .put("readOnlyHint", false)
                .put("destructiveHint", this == BREAK)
                .put("idempotentHint", this != ACQUIRE && this != BREAK)
                .put("openWorldHint", false);
        return tool;
    }
}
