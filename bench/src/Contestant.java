package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Is one part with what became of it: its results, or why it is left out. */
final class Contestant implements AutoCloseable {
    private final String name;
    private final Part.Opener opener;
    private final int coldness;
    private final List<Result> results = new ArrayList<>();
    private Part part;
    private String failure;

    /** Is a sample with what each operation cost, and what else was measured. */
    record Result(Sample sample, Costs.PerOperation costs, Map<String, Double> facts) {}

    Contestant(String name, Part.Opener opener) {
        this(name, opener, 1);
    }

    private Contestant(String name, Part.Opener opener, int coldness) {
        this.name = name;
        this.opener = opener;
        this.coldness = coldness;
    }

    /** Warms up for longer: what it works on is not warmed up by other parts as well. */
    Contestant cold() {
        return new Contestant(name, opener, 4);
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
        Sample sample = results.get(results.size() - 1).sample();
        return String.format(Locale.ROOT, "%,.0f/s, p50 %,.2f ms", sample.perSecond(), sample.micros(0.5) / 1e3);
    }

    void warmUp(Setting setting, Duration duration) {
        guard(() -> {
            setting.check();
            setting.masters().empty();
            part = opener.open(setting);
            part.prepare();
            part.run(duration.multipliedBy(coldness)); // what is cold may fail
            part.settle();
        });
    }

    void measure(Setting setting, Duration duration) {
        guard(() -> {
            setting.check();
            setting.masters().empty();
            part.prepare();
            Costs before = Costs.read(setting);
            Sample sample = part.run(duration).checked();
            setting.check();
            Costs.PerOperation costs = Costs.read(setting).since(before, sample.succeeded());
            results.add(new Result(sample, costs, part.facts()));
            part.settle();
        });
    }

    private void guard(Work work) {
        if (failure != null) {
            return;
        }
        try {
            work.run();
        } catch (Exception | OutOfMemoryError e) {
            boolean told = e instanceof IllegalStateException || e instanceof IOException;
            failure = told && e.getMessage() != null ? e.getMessage() : e.toString();
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
