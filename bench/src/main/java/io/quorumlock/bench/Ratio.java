// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import static io.quorumlock.bench.Parts.*;

import io.quorumlock.bench.Part.Result;
import io.quorumlock.bench.Part.Summary;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A comparison of parts. It is computed for each round, so that a disturbance affects all parts of it.
 *
 * @param goal of the project, as text
 * @param value computes the ratio from the results of the parts in one round
 */
record Ratio(String name, String goal, List<String> parts, ToDoubleFunction<List<Result>> value) {
    private static final String NO_GOAL = "";

    static List<Ratio> of(Options options) {
        if (options.capacity()) {
            return List.of();
        }
        Stream<Ratio> all = options.against().isPresent()
                ? builds(options)
                : options.stores()
                        ? Stream.of(Store.Kind.values()).flatMap(Ratio::store)
                        : Stream.concat(peers(), workloads());
        return all.filter(ratio -> ratio.parts().stream().allMatch(options::includes))
                .toList();
    }

    /** The ratio to a second process of the same build is the error of the method. */
    private static Stream<Ratio> builds(Options options) {
        return options.stores()
                ? Stream.of(Store.Kind.values())
                        .map(kind -> kind.title + ON_STORE + MANY)
                        .flatMap(part -> Stream.concat(builds(part, OTHER_BUILD), builds(part, SAME_BUILD)))
                : Stream.of(
                                builds(CYCLE + MANY, OTHER_BUILD),
                                builds(CYCLE + MANY, SAME_BUILD),
                                builds(CYCLE + ONE, OTHER_BUILD),
                                builds(HOT, OTHER_BUILD),
                                builds(RATE_STOPPED, OTHER_BUILD))
                        .flatMap(ratios -> ratios);
    }

    private static Stream<Ratio> builds(String part, String other) {
        String name = part + THIS_BUILD + " vs" + other.substring(1) + ": ";
        String first = part + THIS_BUILD;
        String second = part + other;
        return Stream.of(
                ofThroughput(name + "operations/s", first, second),
                ofMedian(name + "p50", first, second),
                ofQuantile(name + "p99", 0.99, first, second),
                ofCpu(name + "CPU, service", "service", first, second),
                ofCpu(name + "CPU, masters", "masters", first, second));
    }

    private static Stream<Ratio> store(Store.Kind kind) {
        String goal = kind == Store.Kind.ETCD ? "at least 1.5" : "at least 0.9";
        String title = kind.title;
        return Stream.of(
                ofThroughput(
                                title + ", HTTP vs its client's lock: cycles/s, " + ONE,
                                title + ON_STORE + ONE,
                                title + OWN_LOCK + ONE)
                        .goal(goal),
                ofThroughput(
                                title + ", HTTP vs its client's lock: cycles/s, " + MANY,
                                title + ON_STORE + MANY,
                                title + OWN_LOCK + MANY)
                        .goal(goal),
                ofThroughput(
                                title + ", one shared lock vs plain locks: cycles/s, " + MANY,
                                title + ON_STORE_SHARED,
                                title + ON_STORE + MANY)
                        .goal("at least 0.5"),
                ofMedian(
                        title + ", HTTP vs its client's lock: p50 of a cycle, " + ONE,
                        title + ON_STORE + ONE,
                        title + OWN_LOCK + ONE),
                ofMedian(
                        title + ", HTTP vs its client's lock: p50 of a hand-over",
                        title + ON_STORE_HOT,
                        title + OWN_LOCK_HOT));
    }

    private static Stream<Ratio> peers() {
        return Stream.of(
                ofThroughput("HTTP vs node-redlock: cycles/s, " + MANY, CYCLE + MANY, NODE_REDLOCK + MANY)
                        .goal("at least 2, better 3"),
                ofThroughput("HTTP vs RedissonRedLock: cycles/s, " + MANY, CYCLE + MANY, REDISSON + MANY)
                        .goal("at least 20"),
                ofMedian("HTTP vs node-redlock: p50 of a cycle, " + ONE, CYCLE + ONE, NODE_REDLOCK + ONE),
                ofMedian("HTTP vs RedissonRedLock: p50 of a cycle, " + ONE, CYCLE + ONE, REDISSON + ONE));
    }

    private static Stream<Ratio> workloads() {
        return Stream.of(
                ofMedian("8 names vs one: p50 of a cycle, " + ONE, EIGHT_NAMES, CYCLE + ONE)
                        .goal("at most 2"),
                ofThroughput("one shared lock vs plain locks: cycles/s, " + MANY, SHARED, CYCLE + MANY)
                        .goal("at least 0.8"),
                ofMedian("two masters stopped vs healthy: p50", RATE_STOPPED, RATE)
                        .goal("at most 1.2"),
                ofQuantile("two masters stopped vs healthy: p99", 0.99, RATE_STOPPED, RATE)
                        .goal("at most 1.2"),
                ofCpu("among 1,000 locks vs none: CPU of a cycle", AMONG_THOUSAND, CYCLE + MANY)
                        .goal("1"),
                ofCpu("among 1,000,000 locks vs none: CPU of a cycle", AMONG_MILLION, CYCLE + MANY)
                        .goal("1"),
                ofCpu("among 1,000,000 locks vs none: masters' CPU of a cycle", "masters", AMONG_MILLION, CYCLE + MANY)
                        .goal("1"),
                ofMedian("hand-over to a waiter vs acquire of a free lock: p50", HOT, ACQUIRE)
                        .goal("at most 2"),
                ofMedian("hand-over after 10 ms vs acquire once in 10 ms: p50", HELD, SLOW_ACQUIRE)
                        .goal("at most 2"),
                ofThroughput("-Xmx64m vs the JVM's choice: cycles/s", SMALL, CYCLE + MANY),
                ofThroughput("HTTP cycle vs GET /nodes: operations/s, " + MANY, CYCLE + MANY, NO_OP + MANY));
    }

    /** Divides the throughput of the first part by that of the second. */
    private static Ratio ofThroughput(String name, String first, String second) {
        return of(name, first, second, result -> result.sample().perSecond());
    }

    private static Ratio ofMedian(String name, String first, String second) {
        return ofQuantile(name, 0.5, first, second);
    }

    private static Ratio ofQuantile(String name, double quantile, String first, String second) {
        return of(name, first, second, result -> result.sample().micros(quantile));
    }

    /** Divides the processor time of all sides together, which limits the throughput of a busy machine. */
    private static Ratio ofCpu(String name, String first, String second) {
        return of(name, first, second, result -> result.costs().allCpuMicros());
    }

    private static Ratio ofCpu(String name, String side, String first, String second) {
        return of(name, first, second, result -> result.costs().cpuMicros(side));
    }

    private static Ratio of(String name, String first, String second, ToDoubleFunction<Result> value) {
        return new Ratio(
                name,
                NO_GOAL,
                List.of(first, second),
                both -> value.applyAsDouble(both.get(0)) / value.applyAsDouble(both.get(1)));
    }

    private Ratio goal(String goal) {
        return new Ratio(name, goal, parts, value);
    }

    /** Computes the ratio of all rounds; empty if a part has no results. */
    Optional<Summary> summary(Function<String, List<Result>> results) {
        List<List<Result>> all = parts.stream().map(results).toList();
        int rounds = all.stream().mapToInt(List::size).min().orElse(0);
        if (rounds == 0) {
            return Optional.empty();
        }
        return Optional.of(Summary.of(
                IntStream.range(0, rounds).boxed().toList(),
                round -> value.applyAsDouble(
                        all.stream().map(part -> part.get(round)).toList())));
    }
}
