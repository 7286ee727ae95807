// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.Workload.Sample;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The processes that all parts share: the masters, and the services and peers that were started so far. */
final class Environment implements AutoCloseable {
    /** The folder for logs and other files of a run. */
    static final Path WORK = Path.of("bench/target");

    private static final Path DATA = Path.of(System.getProperty("java.io.tmpdir"));
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final int APPENDS = 500;
    private static final int APPENDED_BYTES = 512;

    private final Masters masters;
    /** Builds with different layouts of their data do not work on the same masters. */
    private final Optional<Masters> mastersOfOtherBuild;

    private final Map<Store.Kind, Store> stores = new EnumMap<>(Store.Kind.class);
    private final Map<String, Service> services = new HashMap<>();
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private final List<ChildProcess> peers = new ArrayList<>();

    /**
     * Counters since the start of the processes.
     *
     * @param cpuMicros processor time by side: bench, service, masters
     * @param traffic of all masters together: calls by command and bytes
     */
    record Counters(Map<String, Long> cpuMicros, Map<String, Long> traffic) {}

    Environment(Options options) throws IOException {
        if (options.capacity() && IN_MEMORY.contains(fileSystem())) {
            throw new IllegalStateException("the masters would store their data in " + DATA
                    + ", which is in memory; set TMPDIR to a folder on the disk to measure");
        }
        masters = Masters.start(options.capacity());
        mastersOfOtherBuild = options.against().map(application -> Masters.start(false));
    }

    Masters masters() {
        return masters;
    }

    /** Returns the service with this configuration and starts it on the first call. A failed start is not repeated. */
    Service service(ServiceConfig config) {
        if (failures.containsKey(config.name())) {
            throw failures.get(config.name());
        }
        try {
            return services.computeIfAbsent(
                    config.name(), name -> Service.start(mastersOf(config).urls(), config));
        } catch (RuntimeException e) {
            failures.put(config.name(), e);
            throw e;
        }
    }

    private Masters mastersOf(ServiceConfig config) {
        return mastersOfOtherBuild
                .filter(other -> config.name().startsWith(BuildParts.OTHER_PREFIX))
                .orElse(masters);
    }

    private Stream<Masters> allMasters() {
        return Stream.concat(Stream.of(masters), mastersOfOtherBuild.stream());
    }

    /** Deletes all locks, so that no part is affected by the one before. */
    void empty() {
        allMasters().forEach(Masters::empty);
    }

    /** Returns the servers of a store and starts them on the first call. Their processor time counts as that of masters. */
    Store store(Store.Kind kind) {
        return stores.computeIfAbsent(kind, Store::start);
    }

    /** Adds a process whose processor time counts as that of the load generator. */
    void addPeer(ChildProcess peer) {
        peers.add(peer);
    }

    /** Waits until all services are connected to all masters. */
    void awaitAllMasters() {
        services.values().forEach(Service::awaitAllMasters);
    }

    /** Throws an IllegalStateException if a master has ended. */
    void checkMasters() {
        if (!allMasters().allMatch(Masters::areAlive)) {
            throw new IllegalStateException("a master has ended");
        }
    }

    Counters counters() {
        long peerMicros = peers.stream()
                .map(ChildProcess::handle)
                .mapToLong(Environment::cpuMicros)
                .sum();
        long serviceMicros = services.values().stream()
                .map(Service::handle)
                .mapToLong(Environment::cpuMicros)
                .sum();
        Map<String, Long> cpu = Map.of(
                "bench",
                cpuMicros(ProcessHandle.current()) + peerMicros,
                "service",
                serviceMicros,
                "masters",
                Stream.concat(
                                allMasters().flatMap(Masters::handles),
                                stores.values().stream().flatMap(Store::handles))
                        .collect(Collectors.summingLong(Environment::cpuMicros)));
        Map<String, Long> traffic = allMasters()
                .flatMap(each -> each.traffic().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
        return new Counters(cpu, traffic);
    }

    private static long cpuMicros(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .map(time -> time.toNanos() / 1_000)
                .orElse(0L);
    }

    /** Describes the machine, the versions and the options of this run. */
    Map<String, Object> describe(Options options) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("commit", System.getProperty("bench.commit", "unknown"));
        options.against().ifPresent(application -> {
            facts.put("other_build", application.toString());
            facts.put("other_commit", System.getProperty("bench.other-commit", "unknown"));
        });
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("processor", processor());
        facts.put("load_before", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("redis", masters.version());
        if (options.capacity()) {
            facts.put("data_of_masters", fileSystem() + ", " + DATA);
            facts.put("append_with_fsync", appendWithFsync());
        } else {
            facts.put("peers", Peer.versions());
            facts.put("node", firstLine("node", "--version"));
        }
        facts.put("rounds", options.rounds() + " rounds of " + options.round().toSeconds() + " s");
        return facts;
    }

    private static String fileSystem() throws IOException {
        return Files.getFileStore(DATA).type();
    }

    /** Measures what a master does after each batch, on its disk and without load. */
    private static String appendWithFsync() throws IOException {
        Histogram latencies = Sample.newHistogram();
        Path file = Files.createTempFile("quorumlock-", ".aof");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
            for (int i = 0; i < APPENDS; i++) {
                long begin = System.nanoTime();
                channel.write(ByteBuffer.allocate(APPENDED_BYTES));
                channel.force(false);
                latencies.recordValue(System.nanoTime() - begin);
            }
        } finally {
            Files.delete(file);
        }
        Sample sample = Sample.of(latencies, 0, Duration.ZERO);
        return String.format(
                Locale.ROOT, "p50 %.2f ms, p99 %.2f ms", sample.micros(0.5) / 1e3, sample.micros(0.99) / 1e3);
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

    /** Returns the first line that a program prints. */
    private static String firstLine(String... command) {
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

    @Override
    public void close() {
        services.values().forEach(Service::close);
        peers.forEach(ChildProcess::close);
        stores.values().forEach(Store::close);
        allMasters().forEach(Masters::close);
    }
}
