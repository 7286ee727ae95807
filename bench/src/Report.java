package io.quorumlock.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Shows what a run gave: tables and a chart for people, a file for programs. */
record Report(Map<String, Object> machine, List<Contestant> contestants, List<Ratio> ratios) {
    private static final Path FOLDER = Path.of("bench/results");
    private static final double KIBI = 1024;

    void print() {
        PrintStream out = System.out;
        printParts(out);
        printFacts(out);
        printRatios(out);
        contestants.forEach(contestant -> contestant
                .failure()
                .ifPresent(why -> out.printf("Left out: %s, because %s%n", contestant.name(), why)));
        machine.forEach((fact, value) -> out.printf("%s: %s%n", fact, value));
    }

    private void printParts(PrintStream out) {
        out.printf("%n| part | operations/s | p50 ms | p99 ms | CPU us/operation: bench, service, masters "
                + "| scripts, KiB/operation of all masters |%n");
        out.println("|---|---|---|---|---|---|");
        for (Contestant contestant : contestants) {
            out.println(
                    contestant.results().isEmpty()
                            ? "| " + contestant.name() + " | left out | | | | |"
                            : row(contestant));
        }
    }

    private static String row(Contestant contestant) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %.0f, %.0f, %.0f | %.1f, %.2f |",
                contestant.name(),
                sample(contestant, Sample::perSecond).show("%,.0f"),
                sample(contestant, sample -> sample.micros(0.5) / 1e3).show("%.2f"),
                sample(contestant, sample -> sample.micros(0.99) / 1e3).show("%.2f"),
                cost(contestant, costs -> costs.cpuMicros("bench")),
                cost(contestant, costs -> costs.cpuMicros("service")),
                cost(contestant, costs -> costs.cpuMicros("masters")),
                cost(contestant, Costs.PerOperation::scripts),
                cost(contestant, costs -> costs.bytes() / KIBI));
    }

    private void printFacts(PrintStream out) {
        out.printf("%n| also measured | median (least-most) |%n|---|---|%n");
        for (Contestant contestant : contestants) {
            contestant.results().stream()
                    .flatMap(result -> result.facts().keySet().stream())
                    .distinct()
                    .forEach(fact -> out.printf(
                            "| %s: %s | %s |%n",
                            contestant.name(),
                            fact,
                            Measure.of(contestant.results(), result -> result.facts()
                                            .get(fact))
                                    .show("%,.0f")));
        }
    }

    private void printRatios(PrintStream out) {
        out.printf("%n| ratio, round by round | median (least-most) | goal |%n|---|---|---|%n");
        for (Ratio ratio : ratios) {
            Optional<Measure> measure = ratio.among(this::resultsOf);
            String shown = measure.map(value -> value.show("%.2f")).orElse("left out");
            out.printf("| %s | %s | %s |%n", ratio.name(), shown, ratio.goal());
        }
        out.println();
    }

    static Measure sample(Contestant contestant, ToDoubleFunction<Sample> value) {
        return Measure.of(contestant.results(), result -> value.applyAsDouble(result.sample()));
    }

    private static double cost(Contestant contestant, ToDoubleFunction<Costs.PerOperation> value) {
        return Measure.of(contestant.results(), result -> value.applyAsDouble(result.costs()))
                .median();
    }

    List<Contestant.Result> resultsOf(String name) {
        return contestants.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .map(Contestant::results)
                .orElse(List.of());
    }

    /** Writes all of it, every round by itself, and the chart; names the file. */
    Path write() throws IOException {
        String name = (machine.get("time") + "-" + machine.get("commit")).replace(":", "");
        Path file = Files.createDirectories(FOLDER).resolve(name + ".json");
        RawResults.write(this, file);
        String chart = Chart.draw(this);
        Files.writeString(FOLDER.resolve(name + ".svg"), chart);
        Files.writeString(FOLDER.resolve("latest.svg"), chart);
        return file;
    }
}
