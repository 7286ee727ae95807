// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A PromQL query, and the alert or panel that contains it. */
record Query(String where, String text) {
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]|offset \\w+");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
    private static final Pattern SELECTOR = Pattern.compile("\\b([a-zA-Z_][\\w:]*)\\b(?!\\s*\\()(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|!~|=)\"([^\"]*)\"");
    private static final Set<String> WORDS = Set.of("and", "or", "unless");

    /** A condition on one label. {@code values} are the values listed literally. */
    record Demand(String label, Set<String> values) {
        static Demand of(MatchResult matcher) {
            boolean named =
                    matcher.group(2).startsWith("=") && !matcher.group(3).contains("$");
            return new Demand(matcher.group(1), named ? Set.of(matcher.group(3).split("\\|")) : Set.of());
        }
    }

    /** A metric with conditions on its labels. */
    record Selector(String metric, List<Demand> demands) {}

    /** Returns the exported metrics that the query uses. */
    List<Selector> selectors() {
        return all().filter(selector -> !selector.metric().contains(":")).toList();
    }

    /** Returns whether etcd exports the metrics of the query. */
    boolean isOfEtcd() {
        return selectors().stream().anyMatch(selector -> selector.metric().startsWith("etcd_"));
    }

    /** Returns whether only a replica with a store of its own exports the metrics of the query. */
    boolean isOfOwnStore() {
        return selectors().stream().anyMatch(selector -> selector.metric().startsWith("quorumlock_store_"));
    }

    /** Returns the names of the recorded queries that the query uses. */
    List<String> recorded() {
        return all().map(Selector::metric).filter(name -> name.contains(":")).toList();
    }

    private Stream<Selector> all() {
        String metrics = GROUPING.matcher(RANGE.matcher(text).replaceAll("")).replaceAll("");
        return SELECTOR.matcher(metrics)
                .results()
                .filter(selector -> !WORDS.contains(selector.group(1)))
                .map(selector -> new Selector(selector.group(1), demands(selector.group(2))));
    }

    /** Returns the labels by which the result is grouped. */
    Set<String> grouping() {
        return GROUPING.matcher(text)
                .results()
                .flatMap(grouping -> Stream.of(grouping.group(1).split(", *")))
                .collect(Collectors.toSet());
    }

    private static List<Demand> demands(String matchers) {
        return matchers == null
                ? List.of()
                : MATCHER.matcher(matchers).results().map(Demand::of).toList();
    }
}
