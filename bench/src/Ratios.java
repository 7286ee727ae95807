package io.quorumlock.bench;

import static io.quorumlock.bench.Contestants.*;

import java.util.List;
import java.util.stream.Stream;

/** Names all comparisons, and what the project wants of them. */
final class Ratios {
    private Ratios() {}

    static List<Ratio> of(Plan plan) {
        return Stream.of(peers(), limits(), engines(), workloads())
                .flatMap(ratios -> ratios)
                .filter(ratio -> ratio.parts().stream().allMatch(plan::includes))
                .toList();
    }

    private static Stream<Ratio> peers() {
        return Stream.of(
                Ratio.ofThroughput("HTTP vs node-redlock: cycles/s, " + MANY, CYCLE + MANY, NODE_REDLOCK + MANY)
                        .goal("at least 2, 3 wanted"),
                Ratio.ofThroughput("HTTP vs RedissonRedLock: cycles/s, " + MANY, CYCLE + MANY, REDISSON + MANY)
                        .goal("at least 20"),
                Ratio.ofMedian("HTTP vs node-redlock: p50 of a cycle, " + ONE, CYCLE + ONE, NODE_REDLOCK + ONE),
                Ratio.ofMedian("HTTP vs RedissonRedLock: p50 of a cycle, " + ONE, CYCLE + ONE, REDISSON + ONE));
    }

    private static Stream<Ratio> limits() {
        return Stream.of(
                Floor.share("share of the floor, HTTP as GET /nodes", CYCLE + MANY, NO_OP + MANY, BATCHES)
                        .goal("at least 0.7"),
                Floor.share("share of the floor, HTTP as nothing", CYCLE + MANY, NOTHING + MANY, BATCHES),
                Floor.path("p50 of a cycle vs its round trips, GET /nodes", CYCLE + ONE, NO_OP + ONE, SINGLY),
                Floor.path("p50 of a cycle vs its round trips, HTTP as nothing", CYCLE + ONE, NOTHING + ONE, SINGLY),
                Ratio.ofThroughput("HTTP cycle vs GET /nodes: operations/s, " + MANY, CYCLE + MANY, NO_OP + MANY));
    }

    private static Stream<Ratio> engines() {
        return Stream.of(
                Ratio.ofThroughput(
                        "engine vs pool as it comes: acquires/s, " + MANY, ENGINE + MANY, DEFAULT_POOL + MANY),
                Ratio.ofThroughput("engine vs pool at its best: acquires/s, " + MANY, ENGINE + MANY, POOL + MANY),
                Ratio.ofCpu(
                        "pool as it comes vs engine: CPU of an acquire, " + MANY, DEFAULT_POOL + MANY, ENGINE + MANY),
                Ratio.ofCpu("pool at its best vs engine: CPU of an acquire, " + MANY, POOL + MANY, ENGINE + MANY),
                Ratio.ofMedian("pool vs engine: p50, " + ONE, POOL + ONE, ENGINE + ONE),
                Ratio.ofThroughput("engine vs raw SET: operations/s, " + MANY, ENGINE + MANY, RAW));
    }

    private static Stream<Ratio> workloads() {
        return Stream.of(
                Ratio.ofThroughput("fencing and guard vs neither: cycles/s", CYCLE + MANY, PLAIN),
                Ratio.ofMedian("two masters stopped vs healthy: p50", RATE_STOPPED, RATE)
                        .goal("at most 1.2"),
                Ratio.ofQuantile("two masters stopped vs healthy: p99", 0.99, RATE_STOPPED, RATE)
                        .goal("at most 1.2"),
                Ratio.ofCpu("among 1,000 locks vs none: CPU of a cycle", AMONG_THOUSAND, CYCLE + MANY)
                        .goal("1"),
                Ratio.ofCpu("among 1,000,000 locks vs none: CPU of a cycle", AMONG_MILLION, CYCLE + MANY)
                        .goal("1"),
                Ratio.ofMastersCpu(
                                "among 1,000,000 locks vs none: masters' CPU of a cycle", AMONG_MILLION, CYCLE + MANY)
                        .goal("1"),
                Ratio.ofMedian("hand-over to a waiter vs acquire of a free lock: p50", HOT, ACQUIRE)
                        .goal("at most 2"),
                Ratio.ofMedian("hand-over after 10 ms vs acquire once in 10 ms: p50", HELD, SLOW_ACQUIRE)
                        .goal("at most 2"),
                Ratio.ofMedian("10,000 wait elsewhere vs nobody: p50 of a cycle", CROWD_WAITS, NOBODY_WAITS)
                        .goal("at most 1.2"),
                Ratio.ofThroughput("-Xmx64m vs the JVM's choice: cycles/s", SMALL, CYCLE + MANY),
                Ratio.ofMedian("start-up archive vs none: start until ready", START_ARCHIVED, START_SECOND));
    }
}
