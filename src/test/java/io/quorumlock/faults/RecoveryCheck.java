// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Terms;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The check after the load: every resource can be acquired again in time (L), and nothing is left (N). */
final class RecoveryCheck {
    private static final Duration HOPELESS = Duration.ofSeconds(30);
    private static final Duration TTL = Duration.ofMillis(500);
    private static final String IN_FLIGHT = "http_server_active_requests";
    private static final int READINGS = 20;
    /** The tolerated difference of open files, for example a log, a class path's jar or a new connection. */
    private static final long FILES_SPARE = 12;

    private final SystemUnderTest system;
    private final HistoryWriter history;

    RecoveryCheck(SystemUnderTest system, HistoryWriter history) {
        this.system = system;
        this.history = history;
    }

    void check(long healed, List<Long> openFiles) {
        checkRecovery(healed);
        Pause.of(Setup.TTL_MAX.plusSeconds(1));
        system.servers().leftovers().forEach(history::write);
        for (int i = 0; i < system.replicas().size(); i++) {
            long files = system.replicas().get(i).openFiles();
            observe(
                    Promise.N,
                    "requests in flight of replica-" + (i + 1),
                    inFlight(system.replicas().get(i)),
                    1);
            observe(
                    Promise.N,
                    "open files of replica-" + (i + 1),
                    files,
                    openFiles.get(i) + FILES_SPARE + system.servers().idleConnections());
        }
    }

    /** Tries to acquire all resources repeatedly, until each was acquired once. */
    private void checkRecovery(long healed) {
        List<Integer> ports =
                system.replicas().stream().map(ReplicaProcess::port).toList();
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < Setup.RESOURCES; i++) {
            open.add(i);
        }
        try (RecordingClient prober = new RecordingClient("prober", ports, history::write)) {
            for (int i = 0; !open.isEmpty() && System.nanoTime() - healed < HOPELESS.toNanos(); i++) {
                Terms terms = Terms.of(Setup.RESOURCES_IN + open.peek(), "prober-" + i, TTL);
                if (prober.acquire(1 + i % ports.size(), terms).gotLease()) {
                    prober.release(1 + i % ports.size(), terms);
                    open.poll();
                } else {
                    open.add(open.poll());
                    Pause.of(Duration.ofMillis(5));
                }
            }
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed);
        observe(Promise.L, "resources not acquired again", open.size(), 0);
        observe(
                Promise.L,
                "ms until all were acquired again",
                took,
                system.servers().recovery().toMillis());
    }

    /** Reads the gauge. It includes the request of the reading itself, and sometimes one for the masters. */
    private static long inFlight(ReplicaProcess replica) {
        double count = replica.metric(IN_FLIGHT);
        for (int i = 0; i < READINGS && count > 1; i++) {
            Pause.of(Duration.ofMillis(20));
            count = replica.metric(IN_FLIGHT);
        }
        return (long) count;
    }

    private void observe(Promise promise, String what, long value, long most) {
        history.write(new Observation(promise, what, value, most));
    }
}
