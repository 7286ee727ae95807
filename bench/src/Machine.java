package io.quorumlock.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes what a run was made on and of. */
final class Machine {
    private Machine() {}

    static Map<String, Object> describe(Masters masters, Plan plan) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("commit", System.getProperty("bench.commit", "unknown"));
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("processor", processor());
        facts.put("load_before", load());
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        plan.jdk()
                .ifPresent(home ->
                        facts.put("second_java", output(home.resolve("bin/java").toString(), "--version")));
        facts.put("redis", masters.version());
        facts.put("peers", Peers.versions());
        facts.put("node", output("node", "--version"));
        facts.put("rounds", plan.rounds() + " rounds of " + plan.round().toSeconds() + " s");
        return facts;
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** Takes the first line that a program says. */
    private static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes())
                    .lines()
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "none";
        }
    }

    /** Tells how busy the machine was before: others on it make all figures worse. */
    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
