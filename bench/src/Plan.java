package io.quorumlock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Is how a run was asked for.
 *
 * @param only words of which a part's name must contain one; all parts where there are none
 * @param jdk the home of a second JDK to start the service on
 */
record Plan(int rounds, Duration round, Duration warmUp, List<String> only, Optional<Path> jdk) {
    private static final String USAGE = "usage: bench/run [--quick] [--only WORD]... [--jdk HOME]";

    static Plan read(String... arguments) {
        Plan plan = new Plan(5, Duration.ofSeconds(3), Duration.ofSeconds(5), new ArrayList<>(), Optional.empty());
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--quick")) {
                plan = new Plan(2, Duration.ofSeconds(1), Duration.ofSeconds(2), plan.only, plan.jdk);
            } else if (arguments[i].equals("--only") && i + 1 < arguments.length) {
                plan.only.add(arguments[++i]);
            } else if (arguments[i].equals("--jdk") && i + 1 < arguments.length) {
                plan = new Plan(plan.rounds, plan.round, plan.warmUp, plan.only, Optional.of(jdk(arguments[++i])));
            } else {
                throw new IllegalArgumentException(USAGE);
            }
        }
        return plan;
    }

    private static Path jdk(String home) {
        if (!Files.isExecutable(Path.of(home, "bin", "java"))) {
            throw new IllegalArgumentException("no JDK in " + home + ": it has no bin/java");
        }
        return Path.of(home);
    }

    boolean includes(String part) {
        return only.isEmpty() || only.stream().anyMatch(part::contains);
    }

    /** Measures all, one after the other in each round. */
    void run(List<Contestant> contestants, Setting setting, Progress progress) {
        for (Contestant contestant : contestants) {
            progress.note("warm-up: %s", contestant.name());
            contestant.warmUp(setting, warmUp);
            contestant.failure().ifPresent(why -> progress.note("  left out: %s", why));
        }
        for (int i = 1; i <= rounds; i++) {
            for (Contestant contestant : contestants) {
                if (contestant.failure().isEmpty()) {
                    contestant.measure(setting, round);
                    progress.note("round %d of %d: %s: %s", i, rounds, contestant.name(), contestant.latest());
                }
            }
        }
        contestants.forEach(Contestant::close);
    }
}
