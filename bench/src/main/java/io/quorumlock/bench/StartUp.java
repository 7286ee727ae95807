// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A workload of start-ups: starts the service, waits until it is ready, and stops it. One start is one operation. */
final class StartUp implements Workload {
    private static final int REST_MS = 1_000;

    private final Environment environment;
    private final ServiceConfig config;
    private double residentAtRest;

    private StartUp(Environment environment, ServiceConfig config) {
        this.environment = environment;
        this.config = config;
    }

    static Workload withoutArchive(Environment environment, Path java) {
        return new StartUp(environment, ServiceConfig.of("start").on(java));
    }

    /** Runs the service once, packaged as in the image, to write the archive. */
    static Workload withArchive(Environment environment, Path java) throws Exception {
        Path archive = Environment.WORK.resolve("start.aot");
        Files.deleteIfExists(archive);
        ServiceConfig config = ServiceConfig.ARCHIVABLE.on(java);
        ServiceConfig training = config.option("-XX:AOTCacheOutput=" + archive);
        try (Service service = Service.start(environment.masters().urls(), training)) {
            service.stop();
        }
        if (Files.notExists(archive)) {
            throw new IllegalStateException("the JDK in " + java + " writes no start-up archive (JDK 25 does)");
        }
        return new StartUp(environment, config.option("-XX:AOTCache=" + archive));
    }

    @Override
    public Sample run(Duration duration) {
        Histogram latencies = Sample.newHistogram();
        long began = System.nanoTime();
        try (Service service = Service.start(environment.masters().urls(), config)) {
            latencies.recordValue(System.nanoTime() - began);
            service.rest(REST_MS);
            residentAtRest = service.residentMebibytes();
        }
        return Sample.of(latencies, 0, Duration.ofNanos(System.nanoTime() - began));
    }

    @Override
    public Map<String, Double> facts() {
        return Map.of("service, resident MiB at rest", residentAtRest);
    }
}
