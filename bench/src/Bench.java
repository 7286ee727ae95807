package io.quorumlock.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures the service, what it stands on and its peers, part after part, again and again in the same run. */
final class Bench {
    private Bench() {}

    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.SEVERE); // that masters are stopped is not news here
        try {
            measure(Plan.read(arguments));
            System.exit(0); // whatever thread a library left behind
        } catch (IllegalArgumentException | IllegalStateException | IOException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void measure(Plan plan) throws IOException {
        Progress progress = new Progress();
        List<Contestant> contestants = Contestants.of(plan, progress);
        if (contestants.isEmpty()) {
            throw new IllegalArgumentException("no part has a name with " + String.join(" or ", plan.only()));
        }
        progress.note("starting five masters");
        try (Setting setting = new Setting()) {
            Map<String, Object> machine = Machine.describe(setting.masters(), plan);
            plan.run(contestants, setting, progress);
            Report report = new Report(machine, contestants, Ratios.of(plan));
            report.print();
            System.out.println("raw results and chart: " + report.write());
        }
    }
}
