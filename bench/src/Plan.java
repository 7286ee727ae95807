package io.quorumlock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Is how a run was asked for.
 *
 * @param only words of which a part's name must contain one; all parts where there are none
 */
record Plan(int rounds, Duration round, Duration warmUp, List<String> only) {

    static Plan read(String... arguments) {
        Plan plan = new Plan(7, Duration.ofSeconds(3), Duration.ofSeconds(15), new ArrayList<>());
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--quick")) {
                plan = new Plan(2, Duration.ofSeconds(1), Duration.ofSeconds(3), plan.only());
            } else if (arguments[i].equals("--only") && i + 1 < arguments.length) {
                plan.only().add(arguments[++i]);
            } else {
                throw new IllegalArgumentException("usage: bench/run [--quick] [--only WORD]...");
            }
        }
        return plan;
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
