package io.quorumlock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Starts the service, waits until it is ready, and ends it: one start is one operation. */
final class StartUp implements Part {
    private static final int REST_MS = 1_000;

    private final Setting setting;
    private final Form form;
    private double atRest;

    private StartUp(Setting setting, Form form) {
        this.setting = setting;
        this.form = form;
    }

    static Part plain(Setting setting, Path java) {
        return new StartUp(setting, Form.of("start").on(java));
    }

    /** Lets it run once to its end, in which it archives what every start does alike; packaged as in the image. */
    static Part archived(Setting setting, Path java) throws Exception {
        Path archive = Path.of("target/bench-start.aot");
        Files.deleteIfExists(archive);
        Form form = Form.ARCHIVABLE.on(java);
        try (Service training = Service.start(setting.masters().urls(), form.option("-XX:AOTCacheOutput=" + archive))) {
            training.end();
        }
        if (Files.notExists(archive)) {
            throw new IllegalStateException("the JDK in " + java + " makes no start-up archive (JDK 25 does)");
        }
        return new StartUp(setting, form.option("-XX:AOTCache=" + archive));
    }

    @Override
    public Sample run(Duration duration) {
        Latencies latencies = new Latencies();
        long began = System.nanoTime();
        try (Service service = Service.start(setting.masters().urls(), form)) {
            latencies.add(System.nanoTime() - began);
            service.rest(REST_MS);
            atRest = service.memory().residentMebibytes();
        }
        return Sample.of(Latencies.merge(List.of(latencies)), 0, Duration.ofNanos(System.nanoTime() - began));
    }

    @Override
    public Map<String, Double> facts() {
        return Map.of("service, resident MiB at rest", atRest);
    }
}
