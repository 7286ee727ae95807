package io.quorumlock.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Shows what a run gave: a table for people, a file for programs. */
record Report(Map<String, Object> machine, List<Contestant> contestants, List<Ratio> ratios) {
    private static final Path FOLDER = Path.of("bench/results");

    void print() {
        System.out.printf("%n| part | operations/s | p50 ms | p99 ms | CPU us/operation: bench, service, masters |%n");
        System.out.println("|---|---|---|---|---|");
        for (Contestant contestant : contestants) {
            System.out.println(
                    contestant.results().isEmpty()
                            ? "| " + contestant.name() + " | left out | | | |"
                            : row(contestant));
        }
        System.out.printf("%n| ratio, round by round | median (least-most) |%n|---|---|%n");
        for (Ratio ratio : ratios) {
            Optional<Measure> measure = ratio.among(this::resultsOf);
            System.out.printf(
                    "| %s | %s |%n",
                    ratio.name(), measure.map(value -> value.show("%.2f")).orElse("left out"));
        }
        System.out.println();
        contestants.forEach(contestant -> contestant
                .failure()
                .ifPresent(why -> System.out.printf("Left out: %s, because %s%n", contestant.name(), why)));
        machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
    }

    private static String row(Contestant contestant) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %.0f, %.0f, %.0f |",
                contestant.name(),
                measure(contestant, Sample::perSecond).show("%,.0f"),
                measure(contestant, sample -> sample.micros(0.5) / 1e3).show("%.2f"),
                measure(contestant, sample -> sample.micros(0.99) / 1e3).show("%.2f"),
                cpu(contestant, "bench"),
                cpu(contestant, "service"),
                cpu(contestant, "masters"));
    }

    private static Measure measure(Contestant contestant, ToDoubleFunction<Sample> value) {
        return Measure.of(contestant.results(), result -> value.applyAsDouble(result.sample()));
    }

    private static double cpu(Contestant contestant, String side) {
        return Measure.of(contestant.results(), result -> result.cpuMicros().get(side))
                .median();
    }

    private List<Contestant.Result> resultsOf(String name) {
        return contestants.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .map(Contestant::results)
                .orElse(List.of());
    }

    /** Writes all of it, every round by itself, and names the file. */
    Path write() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(machine);
        all.put("parts", contestants.stream().map(Report::raw).toList());
        Map<String, Object> compared = new LinkedHashMap<>();
        ratios.forEach(
                ratio -> compared.put(ratio.name(), ratio.among(this::resultsOf).orElse(null)));
        all.put("ratios", compared);
        String name = machine.get("time") + "-" + machine.get("commit") + ".json";
        Path file = Files.createDirectories(FOLDER).resolve(name.replace(":", ""));
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
        return file;
    }

    private static Map<String, Object> raw(Contestant contestant) {
        Map<String, Object> part = new LinkedHashMap<>();
        part.put("name", contestant.name());
        part.put("left_out", contestant.failure().orElse(null));
        part.put("rounds", contestant.results().stream().map(Report::raw).collect(Collectors.toList()));
        return part;
    }

    private static Map<String, Object> raw(Contestant.Result result) {
        Sample sample = result.sample();
        Map<String, Object> round = new LinkedHashMap<>();
        round.put("succeeded", sample.succeeded());
        round.put("failed", sample.failed());
        round.put("seconds", sample.elapsed().toNanos() / 1e9);
        round.put("per_second", sample.perSecond());
        for (double quantile : new double[] {0.5, 0.9, 0.99, 0.999, 1}) {
            round.put("p" + quantile * 100 + "_us", sample.micros(quantile));
        }
        round.put("cpu_us_per_operation", result.cpuMicros());
        return round;
    }
}
