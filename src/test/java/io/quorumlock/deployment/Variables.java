// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Document;
import io.quorumlock.documentation.Settings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A rule: each variable is a setting and refers only to variables defined above it, and each list of masters contains
 * exactly the masters.
 */
final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\((\\w+)\\)");
    private static final Pattern HOST = Pattern.compile("@([\\w.-]+:\\d+)");
    private static final Pattern NAMESPACE = Pattern.compile("\\.[\\w-]+\\.svc(?=:)");
    private static final String NODES = "QUORUMLOCK_NODES";
    private static final Set<String> OF_CLIENTS = Pattern.compile("QUORUMLOCK_\\w+")
            .matcher(Document.docs("client-behaviour.md").text())
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());

    private Variables() {}

    static Stream<String> breaches(Manifests manifests) {
        Set<String> masters = masters(manifests);
        return manifests.all().stream().flatMap(manifest -> manifest.containers().stream()
                .flatMap(container -> wrong(container, masters).map(wrong -> manifest + " " + wrong)));
    }

    private static Stream<String> wrong(JsonNode container, Set<String> masters) {
        Set<String> defined = new HashSet<>();
        return Manifest.items(container.path("env")).flatMap(variable -> {
            String name = variable.path("name").asText();
            String value = variable.path("value").asText();
            List<String> undefined = references(value)
                    .filter(reference -> !defined.contains(reference))
                    .map(reference -> name + " refers to " + reference + ", which is not defined above it")
                    .toList();
            defined.add(name);
            return Stream.of(
                            undefined.stream(),
                            unknown(container, name),
                            name.equals(NODES) && variable.path("value").isTextual()
                                    ? wrongNodes(value, masters)
                                    : none())
                    .flatMap(wrong -> wrong);
        });
    }

    private static Stream<String> unknown(JsonNode container, String name) {
        boolean known = !name.startsWith("QUORUMLOCK_") || variables(container).contains(name);
        return known ? none() : Stream.of(name + " is not a setting");
    }

    /** Returns the variables of the service, or those of the clients for a container of another image. */
    private static Set<String> variables(JsonNode container) {
        boolean service = container.path("image").asText("quorumlock").contains("quorumlock");
        return service ? Settings.variables() : OF_CLIENTS;
    }

    private static Stream<String> wrongNodes(String value, Set<String> masters) {
        Set<String> named = HOST.matcher(value)
                .results()
                .map(host -> NAMESPACE.matcher(host.group(1)).replaceFirst(""))
                .collect(Collectors.toCollection(TreeSet::new));
        return masters.isEmpty() || named.equals(masters)
                ? none()
                : Stream.of(NODES + " lists " + named + ", but the masters are " + masters);
    }

    private static Set<String> masters(Manifests manifests) {
        return manifests.all().stream()
                .filter(manifest -> manifest.is("StatefulSet"))
                .flatMap(set -> IntStream.range(
                                0, set.content().at("/spec/replicas").asInt())
                        .mapToObj(i -> "%s-%d.%s:6379"
                                .formatted(
                                        set.name(),
                                        i,
                                        set.content().at("/spec/serviceName").asText())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> references(String value) {
        return REFERENCE.matcher(value).results().map((MatchResult reference) -> reference.group(1));
    }

    private static Stream<String> none() {
        return Stream.empty();
    }
}
