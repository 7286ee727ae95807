// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A run: it starts processes and load, injects faults, checks for leftovers, and judges the history. */
final class FaultRun {
    private static final Duration START = Duration.ofSeconds(90);
    /** The minimum for each kind of call. */
    private static final double CALLS_A_MINUTE = 5;

    /** As many calls of a kind suffice for any length, because a slow machine makes fewer in a minute. */
    private static final double ENOUGH_CALLS = 50;

    private final RunOptions order;
    private final Path folder;
    private final Supplier<Servers> begin;

    /** The clients of a run, and the checks at their end. */
    private interface Load {
        void on(SystemUnderTest system, FencedRegister register, HistoryWriter faults);
    }

    /** @param begin starts the servers */
    FaultRun(RunOptions order, Supplier<Servers> begin) {
        this.order = order;
        this.folder = order.folder();
        this.begin = begin;
    }

    /** Runs, writes the report into the folder, and returns the verdict. */
    Verdict run() {
        run(this::load);
        return judge();
    }

    /** Runs clients of another library on the same servers, beside an idle service. Writes their calls, and judges nothing. */
    void runPeer(List<String> program) {
        run((system, register, faults) -> loadPeer(program, system, faults));
    }

    private void run(Load load) {
        clear(folder);
        List<ReplicaProcess> replicas = new ArrayList<>();
        try (Servers servers = begin.get();
                FencedRegister register = new FencedRegister();
                HistoryWriter faults = new HistoryWriter("faults", folder.resolve(RecordedRun.FAULTS))) {
            for (int i = 1; i <= Setup.REPLICAS; i++) {
                replicas.add(new ReplicaProcess(servers.environment(), folder.resolve("replica-" + i + ".log")));
            }
            replicas.forEach(ReplicaProcess::awaitReady);
            try (NodesPoller watch = new NodesPoller(replicas, faults::write)) {
                Eventually.within(START, "all servers are up", watch::areAllUp);
                load.on(new SystemUnderTest(servers, replicas, watch), register, faults);
            }
        } finally {
            replicas.forEach(ReplicaProcess::close);
        }
    }

    private void load(SystemUnderTest system, FencedRegister register, HistoryWriter faults) {
        FaultPlan plan = order.plan(system.servers());
        List<Long> openFiles =
                system.replicas().stream().map(ReplicaProcess::openFiles).toList();
        List<LoadProcess> clients = start(system, register);
        try (HistoryWriter prober = new HistoryWriter("prober", folder.resolve("prober.jsonl"))) {
            long begun = System.nanoTime() + Setup.WARM_UP.toNanos();
            prober.write(header(plan, begun, system.servers().grantsAMinute()));
            new FaultInjector(plan, system, faults::write).run(begun);
            end(clients, begun);
            new RecoveryCheck(system, prober).check(System.nanoTime(), openFiles);
            prober.write(new Observation(Promise.S3, "lost updates in the register", register.lostUpdates(), 0));
            prober.write(new Observation(Promise.S3, "writes in the register", register.writes(), Long.MAX_VALUE));
            prober.write(new Observation(
                    Promise.S3,
                    "writes with old fencing tokens rejected by the register",
                    register.refusals(),
                    Long.MAX_VALUE));
        } finally {
            clients.forEach(LoadProcess::close);
        }
        merge(Stream.concat(
                        Stream.of(folder.resolve("prober.jsonl")),
                        clients.stream().map(LoadProcess::history))
                .toList());
    }

    private void loadPeer(List<String> program, SystemUnderTest system, HistoryWriter faults) {
        FaultPlan plan = order.plan(system.servers()).forPeers();
        List<LoadProcess> clients = IntStream.rangeClosed(1, Setup.PROCESSES)
                .mapToObj(i -> LoadProcess.ofPeer(
                        program,
                        "client-" + i,
                        folder.resolve("client-" + i + ".jsonl"),
                        system.servers().addresses()))
                .toList();
        try {
            long begun = System.nanoTime() + Setup.WARM_UP.toNanos();
            new FaultInjector(plan, system, faults::write).run(begun);
            end(clients, begun);
        } finally {
            clients.forEach(LoadProcess::close);
        }
        merge(clients.stream().map(LoadProcess::history).toList());
    }

    private void end(List<LoadProcess> clients, long begun) {
        Pause.until(begun + order.length().toNanos());
        clients.forEach(LoadProcess::stop);
        clients.forEach(LoadProcess::awaitEnd);
    }

    private RunHeader header(FaultPlan plan, long begun, double grantsAMinute) {
        long grants = (long) (order.minutes() * grantsAMinute);
        long each = (long) Math.min(order.minutes() * CALLS_A_MINUTE, ENOUGH_CALLS);
        return new RunHeader(order.seed(), order.minutes(), begun, grants, each, Setup.PROCESSES + 1, plan.kinds());
    }

    private List<LoadProcess> start(SystemUnderTest system, FencedRegister register) {
        List<Integer> ports =
                system.replicas().stream().map(ReplicaProcess::port).toList();
        LoadProcess.Targets targets = new LoadProcess.Targets(register.port(), ports);
        return IntStream.rangeClosed(1, Setup.PROCESSES)
                .mapToObj(i -> LoadProcess.of(
                        "client-" + i, order.seed() * 1_000 + i, folder.resolve("client-" + i + ".jsonl"), targets))
                .toList();
    }

    /** Merges the histories of all processes. Each must be complete. */
    private void merge(List<Path> parts) {
        try (HistoryWriter all = new HistoryWriter("all", folder.resolve(RecordedRun.CALLS))) {
            parts.forEach(part -> HistoryFile.read(part, all::write));
            for (Path part : parts) {
                Files.delete(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Verdict judge() {
        RecordedRun history = RecordedRun.read(folder);
        Verdict verdict = Verdict.of(history);
        Report.write(folder, history, verdict);
        return verdict;
    }

    private static void clear(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> old = Files.walk(folder)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
