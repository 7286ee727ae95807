package io.quorumlock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Is one part with what became of it: its results, or why it is left out. */
final class Contestant implements AutoCloseable {
    private final String name;
    private final Part.Opener opener;
    private final List<Result> results = new ArrayList<>();
    private Part part;
    private String failure;

    /** Is a sample with the processor time that it took from each side, in microseconds an operation. */
    record Result(Sample sample, Map<String, Double> cpuMicros) {
        double allCpuMicros() {
            return cpuMicros.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    Contestant(String name, Part.Opener opener) {
        this.name = name;
        this.opener = opener;
    }

    String name() {
        return name;
    }

    /** Tells why there are no results, if so. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Gives what was measured in each round; nothing once a round failed. */
    List<Result> results() {
        return failure == null ? results : List.of();
    }

    /** Says how the latest round went. */
    String latest() {
        if (failure != null) {
            return "left out, " + failure;
        }
        return String.format(
                Locale.ROOT, "%,.0f/s", results.get(results.size() - 1).sample().perSecond());
    }

    void warmUp(Setting setting, Duration duration) {
        guard(() -> {
            part = opener.open(setting);
            part.run(duration).checked();
        });
    }

    void measure(Setting setting, Duration duration) {
        guard(() -> {
            setting.check();
            setting.masters().empty();
            Map<String, Long> before = setting.cpuMicros();
            Sample sample = part.run(duration).checked();
            setting.check();
            Map<String, Double> cpu = new HashMap<>();
            setting.cpuMicros()
                    .forEach((side, after) -> cpu.put(side, (after - before.get(side)) / (double) sample.succeeded()));
            results.add(new Result(sample, cpu));
        });
    }

    private void guard(Work work) {
        if (failure != null) {
            return;
        }
        try {
            work.run();
        } catch (Exception | OutOfMemoryError e) {
            failure = e.toString();
            close();
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    @Override
    public void close() {
        Part closing = part;
        part = null;
        if (closing != null) {
            closing.close();
        }
    }
}
