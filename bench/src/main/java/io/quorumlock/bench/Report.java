// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quorumlock.bench.Part.Costs;
import io.quorumlock.bench.Part.Result;
import io.quorumlock.bench.Part.Summary;
import io.quorumlock.bench.Workload.Sample;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The report of a run: tables on standard output, raw results as JSON, and a chart. */
record Report(Map<String, Object> machine, List<Part> parts, List<Ratio> ratios) {
    private static final Path FOLDER = Path.of("bench/results");
    private static final double KIBI = 1024;
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};

    void print() {
        PrintStream out = System.out;
        printParts(out);
        printCapacity(out);
        printFacts(out);
        printRatios(out);
        parts.forEach(
                part -> part.failure().ifPresent(why -> out.printf("Left out: %s, because: %s%n", part.name(), why)));
        machine.forEach((fact, value) -> out.printf("%s: %s%n", fact, value));
    }

    private void printParts(PrintStream out) {
        out.printf("%n| part | operations/s | p50 ms | p99 ms | CPU us/operation: bench, service, masters "
                + "| scripts, KiB/operation of all masters |%n");
        out.println("|---|---|---|---|---|---|");
        for (Part part : parts) {
            out.println(part.results().isEmpty() ? "| " + part.name() + " | left out | | | | |" : row(part));
        }
    }

    private static String row(Part part) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %.0f, %.0f, %.0f | %.1f, %.2f |",
                part.name(),
                sample(part, Sample::perSecond).show("%,.0f"),
                sample(part, sample -> sample.micros(0.5) / 1e3).show("%.2f"),
                sample(part, sample -> sample.micros(0.99) / 1e3).show("%.2f"),
                cost(part, costs -> costs.cpuMicros("bench")),
                cost(part, costs -> costs.cpuMicros("service")),
                cost(part, costs -> costs.cpuMicros("masters")),
                cost(part, Costs::scripts),
                cost(part, costs -> costs.bytes() / KIBI));
    }

    /** Prints what one master and the replica need at each rate. A write to the append-only file is one fsync. */
    private void printCapacity(PrintStream out) {
        List<Part> rates = parts.stream()
                .filter(part ->
                        part.name().startsWith(Parts.AT_RATE) && part.failure().isEmpty())
                .toList();
        if (rates.isEmpty()) {
            return;
        }
        out.printf("%n| cycles/s | CPU of a master, of the replica, %% of a core | batches/s | fsyncs/s "
                + "| file bytes/cycle | file, disk KB/s | network in, out KB/s | p50, p99 ms |%n");
        out.println("|---|---|---|---|---|---|---|---|");
        for (Part part : rates) {
            out.printf(
                    Locale.ROOT,
                    "| %.0f | %.2f, %.2f | %.0f | %.0f | %.0f | %.1f, %.1f | %.1f, %.1f | %.2f, %.2f |%n",
                    sample(part, Sample::perSecond).median(),
                    perSecond(part, costs -> costs.cpuMicros("masters") / 1e4) / Masters.COUNT,
                    perSecond(part, costs -> costs.cpuMicros("service") / 1e4),
                    perSecond(part, costs -> costs.onMaster("time")),
                    perSecond(part, costs -> costs.onMaster("syscw") - costs.onMaster("total_writes_processed")),
                    cost(part, Report::fileBytes),
                    perSecond(part, Report::fileBytes) / 1e3,
                    perSecond(part, costs -> costs.onMaster("write_bytes")) / 1e3,
                    perSecond(part, costs -> costs.onMaster("total_net_input_bytes")) / 1e3,
                    perSecond(part, costs -> costs.onMaster("total_net_output_bytes")) / 1e3,
                    sample(part, sample -> sample.micros(0.5) / 1e3).median(),
                    sample(part, sample -> sample.micros(0.99) / 1e3).median());
        }
    }

    private static double fileBytes(Costs costs) {
        return costs.onMaster("wchar") - costs.onMaster("total_net_output_bytes");
    }

    private static double perSecond(Part part, ToDoubleFunction<Costs> value) {
        return Summary.of(
                        part.results(),
                        result -> value.applyAsDouble(result.costs())
                                * result.sample().perSecond())
                .median();
    }

    private void printFacts(PrintStream out) {
        out.printf("%n| also measured | median (least-most) |%n|---|---|%n");
        for (Part part : parts) {
            part.results().stream()
                    .flatMap(result -> result.facts().keySet().stream())
                    .distinct()
                    .forEach(fact -> out.printf(
                            "| %s: %s | %s |%n",
                            part.name(),
                            fact,
                            Summary.of(part.results(), result -> result.facts().get(fact))
                                    .show("%,.1f")));
        }
    }

    private void printRatios(PrintStream out) {
        if (ratios.isEmpty()) {
            out.println();
            return;
        }
        out.printf("%n| ratio, round by round | median (least-most) | goal |%n|---|---|---|%n");
        for (Ratio ratio : ratios) {
            Optional<Summary> summary = ratio.summary(this::resultsOf);
            String shown = summary.map(value -> value.show("%.2f")).orElse("left out");
            out.printf("| %s | %s | %s |%n", ratio.name(), shown, ratio.goal());
        }
        out.println();
    }

    static Summary sample(Part part, ToDoubleFunction<Sample> value) {
        return Summary.of(part.results(), result -> value.applyAsDouble(result.sample()));
    }

    private static double cost(Part part, ToDoubleFunction<Costs> value) {
        return Summary.of(part.results(), result -> value.applyAsDouble(result.costs()))
                .median();
    }

    List<Result> resultsOf(String name) {
        return parts.stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .map(Part::results)
                .orElse(List.of());
    }

    /** Writes raw results and chart, and returns the file with the raw results. */
    Path write() throws IOException {
        String name = (machine.get("time") + "-" + machine.get("commit")).replace(":", "");
        Path file = Files.createDirectories(FOLDER).resolve(name + ".json");
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), rawResults());
        String chart = Chart.draw(this);
        Files.writeString(FOLDER.resolve(name + ".svg"), chart);
        Files.writeString(FOLDER.resolve("latest.svg"), chart);
        return file;
    }

    private Map<String, Object> rawResults() {
        Map<String, Object> all = new LinkedHashMap<>(machine);
        all.put("parts", parts.stream().map(Report::rawPart).toList());
        Map<String, Object> compared = new LinkedHashMap<>();
        ratios.forEach(ratio ->
                compared.put(ratio.name(), ratio.summary(this::resultsOf).orElse(null)));
        all.put("ratios", compared);
        return all;
    }

    private static Map<String, Object> rawPart(Part part) {
        Map<String, Object> raw = new LinkedHashMap<>();
        raw.put("name", part.name());
        raw.put("left_out", part.failure().orElse(null));
        raw.put("rounds", part.results().stream().map(Report::rawRound).toList());
        return raw;
    }

    private static Map<String, Object> rawRound(Result result) {
        Sample sample = result.sample();
        Map<String, Object> raw = new LinkedHashMap<>();
        raw.put("succeeded", sample.succeeded());
        raw.put("failed", sample.failed());
        raw.put("seconds", sample.elapsed().toNanos() / 1e9);
        raw.put("per_second", sample.perSecond());
        for (double quantile : QUANTILES) {
            raw.put("p" + quantile * 100 + "_us", sample.micros(quantile));
        }
        raw.put("cpu_us_per_operation", result.costs().cpuMicros());
        raw.put("masters_per_operation", result.costs().traffic());
        raw.put("also", result.facts());
        return raw;
    }
}
