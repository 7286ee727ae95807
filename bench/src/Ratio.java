package io.quorumlock.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Compares two parts round by round, so that what slows the machine down meets both.
 *
 * @param value what is compared; {@code first} is divided by {@code second}
 */
record Ratio(String name, String first, String second, ToDoubleFunction<Contestant.Result> value) {

    static Ratio ofThroughput(String name, String first, String second) {
        return new Ratio(name, first, second, result -> result.sample().perSecond());
    }

    static Ratio ofMedian(String name, String first, String second) {
        return new Ratio(name, first, second, result -> result.sample().micros(0.5));
    }

    /** Compares the processor time of all sides together: what counts once the processors are busy. */
    static Ratio ofCpu(String name, String first, String second) {
        return new Ratio(name, first, second, Contestant.Result::allCpuMicros);
    }

    /** Computes it, unless a part has no results. */
    Optional<Measure> among(Function<String, List<Contestant.Result>> results) {
        List<Contestant.Result> above = results.apply(first);
        List<Contestant.Result> below = results.apply(second);
        if (above.isEmpty() || below.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Measure.of(
                IntStream.range(0, above.size()).boxed().toList(),
                round -> value.applyAsDouble(above.get(round)) / value.applyAsDouble(below.get(round))));
    }
}
