// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The path of a lock, or that of several.
 *
 * @param names the parameters for the query with the names of several, else empty
 */
record Target(String path, List<String> names) {
    static Target of(List<String> names) {
        List<String> paths = names.stream().map(Target::path).toList();
        return names.size() == 1
                ? new Target(paths.get(0), List.of())
                : new Target(
                        "/locks",
                        names.stream().map(name -> "names=" + Text.encode(name)).toList());
    }

    String with(String action, String parameter) {
        List<String> query = new ArrayList<>(names);
        query.addAll(parameter.isEmpty() ? List.of() : List.of(parameter));
        return path + action + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    private static String path(String name) {
        boolean normal = Arrays.stream(name.split("/", -1)).noneMatch(part -> part.matches("|\\.|\\.\\."));
        Checks.require(normal, "a name must not be empty, and must not have an empty segment or the segments . and ..");
        boolean isAction = ("/" + name).endsWith("/extend") || ("/" + name).endsWith("/fence");
        Checks.require(!isAction, "the last segment of a name must not be extend or fence");
        Checks.require(StandardCharsets.UTF_8.newEncoder().canEncode(name), "the name must be valid Unicode");
        return "/locks/" + Text.encode(name).replace("%2F", "/");
    }
}
