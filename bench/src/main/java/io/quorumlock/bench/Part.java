// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.Environment.Counters;
import io.quorumlock.bench.Workload.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A named workload with its results, or with the reason why it is left out. */
final class Part implements AutoCloseable {
    private final String name;
    private final Workload.Factory factory;
    private final int warmUpFactor;
    private final List<Result> results = new ArrayList<>();
    private Workload workload;
    private String failure;

    Part(String name, Workload.Factory factory) {
        this(name, factory, 1);
    }

    private Part(String name, Workload.Factory factory, int warmUpFactor) {
        this.name = name;
        this.factory = factory;
        this.warmUpFactor = warmUpFactor;
    }

    /**
     * Returns the same part with a warm-up of 40 s instead of 5 s, for a service that no other part warms up. On two busy
     * cores the JIT compiler takes that long.
     */
    Part cold() {
        return new Part(name, factory, 8);
    }

    String name() {
        return name;
    }

    /** Returns why the part has no results. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns the results of all rounds; empty if a round failed. */
    List<Result> results() {
        return failure == null ? results : List.of();
    }

    /** Describes the latest round in one line. */
    String latest() {
        if (failure != null) {
            return "left out, " + failure;
        }
        Sample sample = results.get(results.size() - 1).sample();
        return String.format(Locale.ROOT, "%,.0f/s, p50 %,.2f ms", sample.perSecond(), sample.micros(0.5) / 1e3);
    }

    void warmUp(Environment environment, Duration duration) {
        attempt(() -> {
            environment.checkMasters();
            environment.empty();
            workload = factory.create(environment);
            workload.prepare();
            workload.run(duration.multipliedBy(warmUpFactor)); // failures are not counted: a cold service may time out
            workload.cleanUp();
        });
    }

    void measure(Environment environment, Duration duration) {
        attempt(() -> {
            environment.checkMasters();
            environment.empty();
            workload.prepare();
            Counters before = environment.counters();
            Sample sample = workload.run(duration).checked();
            environment.checkMasters();
            Costs costs = Costs.between(before, environment.counters(), sample.succeeded());
            results.add(new Result(sample, costs, workload.facts()));
            workload.cleanUp();
        });
    }

    private void attempt(Step step) {
        if (failure != null) {
            return;
        }
        try {
            step.run();
        } catch (Exception | OutOfMemoryError e) {
            boolean plain = e instanceof IllegalStateException || e instanceof IOException;
            failure = plain && e.getMessage() != null ? e.getMessage() : e.toString();
            close();
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    @Override
    public void close() {
        Workload closing = workload;
        workload = null;
        if (closing != null) {
            closing.close();
        }
    }

    /** The outcome of one round. */
    record Result(Sample sample, Costs costs, Map<String, Double> facts) {}

    /**
     * The cost of one operation.
     *
     * @param cpuMicros processor time by side: bench, service, masters
     * @param traffic of all masters together: calls by command, including those inside scripts, and bytes
     */
    record Costs(Map<String, Double> cpuMicros, Map<String, Double> traffic) {

        static Costs between(Counters before, Counters after, long operations) {
            return new Costs(
                    divide(before.cpuMicros(), after.cpuMicros(), operations),
                    divide(before.traffic(), after.traffic(), operations));
        }

        private static Map<String, Double> divide(Map<String, Long> before, Map<String, Long> after, long operations) {
            Map<String, Double> quotients = new TreeMap<>();
            after.forEach((name, value) -> {
                long difference = value - before.getOrDefault(name, 0L);
                if (difference > 0) {
                    quotients.put(name, difference / (double) operations);
                }
            });
            return quotients;
        }

        double allCpuMicros() {
            return cpuMicros.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        double cpuMicros(String side) {
            return cpuMicros.getOrDefault(side, 0.0);
        }

        /** Returns the share of one master in the traffic of all. */
        double onMaster(String name) {
            return traffic.getOrDefault(name, 0.0) / Masters.COUNT;
        }

        double scripts() {
            return traffic.getOrDefault("evalsha", 0.0);
        }

        double bytes() {
            return traffic.getOrDefault("total_net_input_bytes", 0.0)
                    + traffic.getOrDefault("total_net_output_bytes", 0.0);
        }
    }

    /** The median of several values and their spread. */
    record Summary(double median, double least, double most) {

        static <T> Summary of(List<T> items, ToDoubleFunction<T> value) {
            List<Double> sorted =
                    items.stream().map(value::applyAsDouble).sorted().toList();
            int last = sorted.size() - 1;
            double median = (sorted.get(last / 2) + sorted.get((last + 1) / 2)) / 2;
            return new Summary(median, sorted.get(0), sorted.get(last));
        }

        String show(String format) {
            return String.format(Locale.ROOT, format + " (" + format + "-" + format + ")", median, least, most);
        }
    }
}
