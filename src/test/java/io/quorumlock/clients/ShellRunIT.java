package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code quorumlock run}: the command runs only while the lease is held. */
@Isolated
class ShellRunIT {
    private static final String CLIENT =
            Path.of("clients/shell/quorumlock").toAbsolutePath().toString();
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int NOT_ACQUIRED = 75;
    private static final int LOST = 76;
    private static final int USAGE = 64;
    /** Runs at the same time, in each round. */
    private static final int RUNS = 10;

    private static final int ROUNDS = Integer.getInteger("clients.rounds", 1);

    private static List<RedisServer> masters;
    private static ServiceProcess service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        assumeTrue(ClientKind.SHELL.isInstalled(), "curl is not installed");
        masters = RedisServers.start(5);
        service = ServiceProcess.on(masters);
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
            RedisServers.close(masters);
        }
    }

    @Test
    void statusIsThatOfCommand() {
        assertEquals(new Shell.Result(7, ""), run("run", "status", "--", "sh", "-c", "exit 7"));
        assertEquals(new Shell.Result(0, "done\n"), run("run", "status", "--", "echo", "done"));
        assertEquals(
                143, run("run", "status", "--", "sh", "-c", "kill -TERM $$").status());
        assertFree("status");
    }

    @Test
    void commandGetsTokenAndLease() {
        Shell.Result ran = run(
                "run",
                "granted",
                "--",
                "sh",
                "-c",
                "curl -s " + service.uri() + "/locks/granted; echo; echo $QUORUMLOCK_FENCING_TOKEN; "
                        + "curl -s -o /dev/null -w '%{http_code}' -X PUT -H \"Lock-Token: $QUORUMLOCK_TOKEN\" "
                        + service.uri() + "/locks/granted/extend");
        String[] lines = ran.output().split("\n");
        assertTrue(lines[0].contains("\"fencingToken\":" + lines[1] + ","), ran::output);
        assertEquals("200", lines[2]);
        assertFree("granted");
    }

    @Test
    void tokenIsNotInListOfProcesses() {
        Shell.Result ran = run(
                "run",
                "secret",
                "--",
                "sh",
                "-c",
                "ps axww -o args | grep -c \"[$(echo $QUORUMLOCK_TOKEN | cut -c1)]"
                        + "$(echo $QUORUMLOCK_TOKEN | cut -c2-)\"");
        assertEquals("0\n", ran.output());
    }

    @Test
    void heldLockIsNotAcquired() {
        LockClient.Answer lease = service.client().acquire("busy?owner=other", 60_000);
        Shell.Result ran = run("run", "--wait", "1s", "busy", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertEquals(1, ran.output().lines().count(), ran::output);
        assertTrue(ran.output().contains("other"), ran::output);
        assertEquals(204, service.client().release("busy", lease.token()).status());
    }

    @Test
    void leaseIsExtendedWhileCommandRuns() {
        Shell.Result ran = run("run", "--ttl", "2s", "long", "--", "sh", "-c", "sleep 5; " + inspect("long"));
        assertEquals(new Shell.Result(0, "200"), ran);
        assertFree("long");
    }

    /** The command ignores SIGTERM and has a child. */
    @Test
    void brokenLeaseEndsCommandAndItsChildren() throws IOException {
        Path pids = folder.resolve("pids");
        Shell.Result ran = run(
                "run",
                "--ttl",
                "3s",
                "broken",
                "--",
                "sh",
                "-c",
                "trap '' TERM; sleep 50 & echo $! $$ > " + pids + "; "
                        + "curl -s -X DELETE '" + service.uri() + "/locks/broken?force=true&reason=test'; "
                        + "while :; do sleep 0.1; done");
        assertEquals(LOST, ran.status(), ran::output);
        for (String pid : Files.readString(pids).trim().split(" ")) {
            Eventually.within(LONGEST, "ended " + pid, () -> ProcessHandle.of(Long.parseLong(pid))
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void signalEndsCommandAndReleases(String signal) throws IOException {
        Path ready = folder.resolve("ready");
        String lock = "signal/" + signal;
        CompletableFuture<Shell.Result> ran = CompletableFuture.supplyAsync(() -> run(
                "run",
                lock,
                "--",
                "sh",
                "-c",
                "trap 'echo got; exit 5' " + signal + "; echo $PPID > " + ready + ".new; mv " + ready + ".new " + ready
                        + "; while :; do sleep 0.1; done"));
        Eventually.within(LONGEST, "runs", () -> Files.exists(ready));
        String pid = processOf(lock);
        assertEquals(
                0,
                new Shell(folder, Map.of())
                        .run(LONGEST, "kill", "-" + signal, pid)
                        .status());
        Shell.Result ended = ran.join();
        assertEquals(5, ended.status(), ended::output);
        // The shell of the command may also print that its sleep was ended.
        assertTrue(ended.output().contains("got\n"), ended::output);
        assertFree(lock);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run --no-such-option x -- true",
                "run x",
                "run x --",
                "run --ttl soon x -- true",
                "run --ttl -1s x -- true",
                "run --ttl 61s x -- true",
                "run --url http://a:b@localhost x -- true",
                "run --url ftp://localhost x -- true",
                "run a//b -- true",
                "run a/extend -- true",
                "extend x",
                "nonsense"
            })
    void invalidUseIsExplainedInOneLine(String arguments) {
        Shell.Result ran = run(arguments.split(" "));
        assertEquals(USAGE, ran.status(), ran::output);
        assertEquals(1, ran.output().lines().count(), ran::output);
        assertTrue(ran.output().startsWith("quorumlock: "), ran::output);
    }

    @Test
    void unreachableServiceIsReportedInOneLine() {
        Shell.Result ran = run("run", "--url", "http://127.0.0.1:1", "x", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertEquals(1, ran.output().lines().count(), ran::output);
    }

    /** S1 for commands: each writes the time into a file, and all masters stop. None may write after its lease. */
    @Test
    void noCommandRunsAfterItsLease() {
        ExecutorService threads = Executors.newFixedThreadPool(RUNS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                stopMastersOfCommands(round, threads);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void stopMastersOfCommands(int round, Executor threads) {
        // Own names: extensions that masters receive while suspended may prolong leases of the round before.
        List<String> names = IntStream.range(0, RUNS)
                .mapToObj(run -> "round-" + round + "-run-" + run)
                .toList();
        List<CompletableFuture<Shell.Result>> runs = names.stream()
                .map(name -> CompletableFuture.supplyAsync(() -> writeStamps(name), threads))
                .toList();
        Eventually.within(LONGEST, () -> "some do not run: " + runs, () -> IntStream.range(0, RUNS)
                .allMatch(run -> Files.exists(folder.resolve(names.get(run)))
                        || runs.get(run).isDone()));
        runs.stream().filter(CompletableFuture::isDone).forEach(run -> fail("ended too early: " + run.join()));
        List<Instant> ends = stopMasters(names);
        try {
            for (int run = 0; run < RUNS; run++) {
                Shell.Result ran = runs.get(run).join();
                assertEquals(LOST, ran.status(), ran::output);
                Instant last = lastStamp(folder.resolve(names.get(run)));
                Instant end = ends.get(run);
                assertTrue(last.isBefore(end), () -> last + " is after the end of the lease at " + end);
            }
        } finally {
            masters.forEach(RedisServer::resume);
            Eventually.within(LONGEST, service::output, service.client()::isReady);
        }
    }

    private Shell.Result writeStamps(String name) {
        Path stamps = folder.resolve(name);
        return run(
                "run",
                "--ttl",
                "3s",
                // The first calls to masters that were resumed may fail.
                "--wait",
                "20s",
                name,
                "--",
                "sh",
                "-c",
                "trap '' TERM; while :; do date +%s%3N >> " + stamps + "; sleep 0.01; done");
    }

    /** Suspends all masters and returns when each lease ends: when its keys are left on two of five masters. */
    private List<Instant> stopMasters(List<String> names) {
        // Nothing is extended while the ends are read.
        service.suspend();
        try {
            List<Instant> ends = names.stream()
                    .map(name -> masters.stream()
                            .map(master -> Instant.now().plusMillis(Long.parseLong(master.cli("PTTL", "lock:" + name))))
                            .sorted()
                            .toList()
                            .get(2))
                    .toList();
            masters.forEach(RedisServer::suspend);
            return ends;
        } finally {
            service.resume();
        }
    }

    private static Instant lastStamp(Path stamps) {
        try {
            List<String> lines = Files.readAllLines(stamps);
            return Instant.ofEpochMilli(Long.parseLong(lines.get(lines.size() - 1)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Signals that this process ignores, for example under nohup, would be ignored by the client, too. */
    private static List<String> withDefaultSignals() {
        List<String> reset = List.of("env", "--default-signal=HUP,INT");
        Shell.Result supported = new Shell(Path.of(""), Map.of()).run(LONGEST, reset.get(0), reset.get(1), "true");
        return supported.succeeded() ? reset : List.of();
    }

    private Shell.Result run(String... arguments) {
        List<String> command = new ArrayList<>(withDefaultSignals());
        command.addAll(List.of("sh", CLIENT));
        command.addAll(List.of(arguments));
        return new Shell(folder, Map.of("QUORUMLOCK_URL", service.uri().toString()))
                .run(LONGEST, command.toArray(String[]::new));
    }

    private static String processOf(String lock) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().arguments().stream()
                        .anyMatch(arguments -> List.of(arguments).contains(lock)))
                .filter(process -> process.parent()
                        .filter(parent ->
                                parent.pid() == ProcessHandle.current().pid())
                        .isPresent())
                .map(process -> Long.toString(process.pid()))
                .findFirst()
                .orElseThrow();
    }

    private static String inspect(String lock) {
        return "curl -s -o /dev/null -w '%{http_code}' " + service.uri() + "/locks/" + lock;
    }

    private static void assertFree(String lock) {
        assertEquals(404, service.client().get("/locks/" + lock).status(), lock);
    }
}
