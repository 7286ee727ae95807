package io.quorumlock.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Compares parts round by round, so that what slows the machine down meets all of them.
 *
 * @param goal what the project wants it to be, for people
 * @param value what one round's results of the parts, in their order, give
 */
record Ratio(String name, String goal, List<String> parts, ToDoubleFunction<List<Contestant.Result>> value) {
    private static final String NO_GOAL = "";

    /** Divides the first part's throughput by the second's. */
    static Ratio ofThroughput(String name, String first, String second) {
        return of(name, first, second, result -> result.sample().perSecond());
    }

    static Ratio ofMedian(String name, String first, String second) {
        return ofQuantile(name, 0.5, first, second);
    }

    static Ratio ofQuantile(String name, double quantile, String first, String second) {
        return of(name, first, second, result -> result.sample().micros(quantile));
    }

    /** Compares the processor time of all sides together: what counts once the processors are busy. */
    static Ratio ofCpu(String name, String first, String second) {
        return of(name, first, second, result -> result.costs().allCpuMicros());
    }

    /** Compares the masters' processor time alone. */
    static Ratio ofMastersCpu(String name, String first, String second) {
        return of(name, first, second, result -> result.costs().cpuMicros("masters"));
    }

    private static Ratio of(String name, String first, String second, ToDoubleFunction<Contestant.Result> value) {
        return new Ratio(
                name,
                NO_GOAL,
                List.of(first, second),
                both -> value.applyAsDouble(both.get(0)) / value.applyAsDouble(both.get(1)));
    }

    Ratio goal(String goal) {
        return new Ratio(name, goal, parts, value);
    }

    /** Computes it, unless a part has no results. */
    Optional<Measure> among(Function<String, List<Contestant.Result>> results) {
        List<List<Contestant.Result>> all = parts.stream().map(results).toList();
        int rounds = all.stream().mapToInt(List::size).min().orElse(0);
        if (rounds == 0) {
            return Optional.empty();
        }
        return Optional.of(Measure.of(
                IntStream.range(0, rounds).boxed().toList(),
                round -> value.applyAsDouble(
                        all.stream().map(part -> part.get(round)).toList())));
    }
}
