package io.quorumlock.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes every round of every part down, for programs. */
final class RawResults {
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};

    private RawResults() {}

    static void write(Report report, Path file) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(report.machine());
        all.put("parts", report.contestants().stream().map(RawResults::part).toList());
        Map<String, Object> compared = new LinkedHashMap<>();
        report.ratios()
                .forEach(ratio -> compared.put(
                        ratio.name(), ratio.among(report::resultsOf).orElse(null)));
        all.put("ratios", compared);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
    }

    private static Map<String, Object> part(Contestant contestant) {
        Map<String, Object> part = new LinkedHashMap<>();
        part.put("name", contestant.name());
        part.put("left_out", contestant.failure().orElse(null));
        part.put("rounds", contestant.results().stream().map(RawResults::round).toList());
        return part;
    }

    private static Map<String, Object> round(Contestant.Result result) {
        Sample sample = result.sample();
        Map<String, Object> round = new LinkedHashMap<>();
        round.put("succeeded", sample.succeeded());
        round.put("failed", sample.failed());
        round.put("seconds", sample.elapsed().toNanos() / 1e9);
        round.put("per_second", sample.perSecond());
        for (double quantile : QUANTILES) {
            round.put("p" + quantile * 100 + "_us", sample.micros(quantile));
        }
        round.put("cpu_us_per_operation", result.costs().cpuMicros());
        round.put("masters_per_operation", result.costs().traffic());
        round.put("also", result.facts());
        return round;
    }
}
