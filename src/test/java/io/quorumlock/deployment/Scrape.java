// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The metrics that Prometheus scrapes from the service, with the values of each label. */
record Scrape(Map<String, Map<String, Set<String>>> metrics) {
    private static final Pattern SAMPLE = Pattern.compile("^(\\w+)(?:\\{(.*)})? ", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    /** Labels that Prometheus itself adds to every series. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance", "namespace");

    static Scrape of(String text) {
        Map<String, Map<String, Set<String>>> metrics = new HashMap<>();
        SAMPLE.matcher(text).results().forEach(sample -> {
            Map<String, Set<String>> labels = metrics.computeIfAbsent(sample.group(1), name -> new HashMap<>());
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2)).results().forEach(label -> labels.computeIfAbsent(
                                label.group(1), name -> new TreeSet<>())
                        .add(label.group(2)));
            }
        });
        return new Scrape(metrics);
    }

    /** Returns the metrics, labels and values that a query uses but the service does not export. */
    List<String> missing(Query query) {
        return Stream.concat(
                        query.selectors().stream().flatMap(this::missing),
                        query.grouping().stream()
                                .filter(label ->
                                        query.selectors().stream().noneMatch(selector -> has(selector.metric(), label)))
                                .map(label -> "label " + label))
                .map(what -> query.where() + ": " + what)
                .toList();
    }

    private Stream<String> missing(Query.Selector selector) {
        String metric = selector.metric();
        return metrics.containsKey(metric)
                ? selector.demands().stream().flatMap(demand -> missing(metric, demand))
                : Stream.of("metric " + metric);
    }

    /** Compares values only for metrics of the project, because all their series exist from the start. */
    private Stream<String> missing(String metric, Query.Demand demand) {
        if (!has(metric, demand.label())) {
            return Stream.of("label " + demand.label() + " of " + metric);
        }
        Set<String> known = metrics.get(metric).getOrDefault(demand.label(), Set.of());
        return demand.values().stream()
                .filter(value -> metric.startsWith("quorumlock_") && !known.contains(value))
                .map(value -> "value " + demand.label() + "=" + value + " of " + metric);
    }

    private boolean has(String metric, String label) {
        return OF_THE_TARGET.contains(label)
                || metrics.getOrDefault(metric, Map.of()).containsKey(label);
    }
}
