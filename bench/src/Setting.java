package io.quorumlock.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Is what all parts work on: the same masters, and the processes that were started so far. */
final class Setting implements AutoCloseable {
    private final Masters masters = Masters.start();
    private final Map<String, Service> services = new HashMap<>();
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private final List<Child> clients = new ArrayList<>();

    Masters masters() {
        return masters;
    }

    /** Starts the service in that form, when it is first asked for; without it only the parts that need it are left out. */
    Service service(Form form) {
        if (failures.containsKey(form.name())) {
            throw failures.get(form.name()); // tried once, because it may have taken its time
        }
        try {
            return services.computeIfAbsent(form.name(), name -> Service.start(masters.urls(), form));
        } catch (RuntimeException e) {
            failures.put(form.name(), e);
            throw e;
        }
    }

    /** Counts another process as a part of the benchmark itself. */
    void count(Child client) {
        clients.add(client);
    }

    /** Waits until no service misses a master any more. */
    void awaitAllMasters() {
        services.values().forEach(Service::awaitAllMasters);
    }

    /** Refuses to go on with fewer masters than there were. */
    void check() {
        if (!masters.areAlive()) {
            throw new IllegalStateException("a master has ended");
        }
    }

    /** Reads how much processor time each side has used so far, in microseconds. */
    Map<String, Long> cpuMicros() {
        long clientMicros =
                clients.stream().map(Child::handle).mapToLong(Setting::micros).sum();
        return Map.of(
                "bench", micros(ProcessHandle.current()) + clientMicros,
                "service",
                        services.values().stream()
                                .map(Service::handle)
                                .mapToLong(Setting::micros)
                                .sum(),
                "masters", masters.handles().collect(Collectors.summingLong(Setting::micros)));
    }

    private static long micros(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .map(time -> time.toNanos() / 1_000)
                .orElse(0L);
    }

    @Override
    public void close() {
        services.values().forEach(Service::close);
        clients.forEach(Child::close);
        masters.close();
    }
}
