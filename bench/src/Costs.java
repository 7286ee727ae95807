package io.quorumlock.bench;

import java.util.Map;
import java.util.TreeMap;

/** Is what all operations so far have cost: processor time of each side, and the masters' work. */
record Costs(Map<String, Long> cpuMicros, Map<String, Long> traffic) {

    static Costs read(Setting setting) {
        return new Costs(setting.cpuMicros(), setting.masters().traffic());
    }

    /** Shares what was added since among the operations. */
    PerOperation since(Costs before, long operations) {
        return new PerOperation(
                share(before.cpuMicros, cpuMicros, operations), share(before.traffic, traffic, operations));
    }

    private static Map<String, Double> share(Map<String, Long> before, Map<String, Long> after, long operations) {
        Map<String, Double> shares = new TreeMap<>();
        after.forEach((name, value) -> {
            long more = value - before.getOrDefault(name, 0L);
            if (more > 0) {
                shares.put(name, more / (double) operations);
            }
        });
        return shares;
    }

    /**
     * Is what one operation costs.
     *
     * @param cpuMicros by side
     * @param traffic of all masters together: calls by command, those within scripts included, and bytes
     */
    record PerOperation(Map<String, Double> cpuMicros, Map<String, Double> traffic) {
        double allCpuMicros() {
            return cpuMicros.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        double cpuMicros(String side) {
            return cpuMicros.getOrDefault(side, 0.0);
        }

        double scripts() {
            return traffic.getOrDefault("evalsha", 0.0);
        }

        double bytes() {
            return traffic.getOrDefault("total_net_input_bytes", 0.0)
                    + traffic.getOrDefault("total_net_output_bytes", 0.0);
        }
    }
}
