// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code quorumlock run}: the command runs only while the lease is held. */
@EnabledIf(value = "io.quorumlock.clients.ShellClient#isInstalled", disabledReason = "curl is not installed")
@Tag("nightly")
class ShellRunIT {
    private static final int NOT_ACQUIRED = 75;
    private static LocalService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void statusIsThatOfCommand() {
        assertEquals(new Shell.Result(7, ""), run("run", "status", "--", "sh", "-c", "exit 7"));
        assertEquals(new Shell.Result(0, "done\n"), run("run", "status", "--", "echo", "done"));
        assertEquals(
                143, run("run", "status", "--", "sh", "-c", "kill -TERM $$").status());
        Scenario.assertFree(service.client(), "status");
    }

    @Test
    void commandGetsTokenAndLease() {
        Shell.Result ran = run(
                "run",
                "granted",
                "--",
                "sh",
                "-c",
                "curl -s " + service.uri() + "/locks/granted; echo $QUORUMLOCK_FENCING_TOKEN; "
                        + "curl -s -o /dev/null -w '%{http_code}' -X PUT -H \"Lock-Token: $QUORUMLOCK_TOKEN\" "
                        + service.uri() + "/locks/granted/extend");
        String[] lines = ran.output().split("\n");
        assertTrue(lines[0].contains("\"fencingToken\":" + lines[1] + ","), ran::output);
        assertEquals("200", lines[2]);
        Scenario.assertFree(service.client(), "granted");
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
        Shell.Result ran = run("run", "--ttl", "6s", "long", "--", "sh", "-c", "sleep 8; " + inspect("long"));
        assertEquals(new Shell.Result(0, "200"), ran);
        Scenario.assertFree(service.client(), "long");
    }

    /** The command ignores SIGTERM and has a child. */
    @Test
    void brokenLeaseEndsCommandAndItsChildren() throws IOException {
        Path pids = folder.resolve("pids");
        Shell.Result ran = run(
                "run",
                "--ttl",
                "6s",
                "broken",
                "--",
                "sh",
                "-c",
                "trap '' TERM; sleep 50 & echo $! $$ > " + pids + "; "
                        + "curl -s -X DELETE '" + service.uri() + "/locks/broken?force=true&reason=test'; "
                        + "while :; do sleep 0.1; done");
        assertEquals(ShellClient.LOST, ran.status(), ran::output);
        for (String pid : Files.readString(pids).trim().split(" ")) {
            Eventually.within(ShellClient.LONGEST, "ended " + pid, () -> ProcessHandle.of(Long.parseLong(pid))
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void signalEndsCommandAndReleases(String signal) throws IOException {
        Path ready = folder.resolve("ready");
        String lock = "signal/" + signal;
        CompletableFuture<Shell.Result> ran = Background.supply(() -> run(
                "run",
                lock,
                "--",
                "sh",
                "-c",
                "trap 'echo got; exit 5' " + signal + "; echo $PPID > " + ready + ".new; mv " + ready + ".new " + ready
                        + "; while :; do sleep 0.1; done"));
        Eventually.within(ShellClient.LONGEST, "runs", () -> Files.exists(ready));
        String pid = processOf(lock);
        assertEquals(
                0,
                new Shell(folder, Map.of())
                        .run(ShellClient.LONGEST, "kill", "-" + signal, pid)
                        .status());
        Shell.Result ended = ran.join();
        assertEquals(5, ended.status(), ended::output);
        // The shell of the command may also print that its sleep was ended.
        assertTrue(ended.output().contains("got\n"), ended::output);
        Scenario.assertFree(service.client(), lock);
    }

    /** The other number is in force only until its holders have released. */
    @Test
    void semaphoreWithOtherNumberOfSlotsIsNotAcquired() {
        String token = service.client().acquire("seats?slots=2", 60_000).token();
        Shell.Result ran = run("run", "--slots", "3", "seats", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertTrue(ran.output().contains("slots=2"), ran::output);
        assertEquals(204, service.client().release("seats", token).status());
    }

    @Test
    void lockThatIsKeptIsNotSaidToBeHeld() {
        String token = service.client().acquire("kept-one", 60_000).token();
        service.client().release("kept-one?keepMs=60000", token);
        Shell.Result ran = run("run", "kept-one", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertTrue(ran.output().contains("held: kept-one was released and is kept for another "), ran::output);
    }

    @Test
    void runInsideOfRunIsToldThatItHoldsTheLockItself() {
        String client = Path.of("clients/shell/quorumlock").toAbsolutePath().toString();
        Shell.Result ran = run("run", "nested", "--", "sh", client, "run", "nested", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertTrue(ran.output().endsWith("; this process holds it itself: locks are not re-entrant\n"), ran::output);
    }

    @Test
    void severalNamesAreHeldWhileCommandRuns() {
        Shell.Result ran = run(
                "run", "several/a", "several/b", "--", "sh", "-c", inspect("several/a") + "; " + inspect("several/b"));
        assertEquals(new Shell.Result(0, "200200"), ran);
        Scenario.assertFree(service.client(), "several/a");
        Scenario.assertFree(service.client(), "several/b");
    }

    @Test
    void commandDoesNotRunIfOneOfSeveralNamesIsHeld() {
        LockClient.Answer lease = service.client().acquire("one-of/b", 60_000);
        Shell.Result ran = run("run", "one-of/a", "one-of/b", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertTrue(ran.output().contains("held: one-of/b is held by another client for another "), ran::output);
        Scenario.assertFree(service.client(), "one-of/a");
        assertEquals(204, service.client().release("one-of/b", lease.token()).status());
    }

    @Test
    void keepOptionKeepsLockAfterCommandForATime() {
        assertEquals(new Shell.Result(0, ""), run("run", "--keep", "10s", "keep", "--", "true"));
        LockClient.Answer kept = Scenario.inspect(service.client(), "keep");
        assertTrue(kept.body().path("kept").asBoolean(), () -> kept.body().toString());
        Eventually.within(
                ShellClient.LONGEST,
                "free",
                () -> Scenario.inspect(service.client(), "keep").status() == 404);
    }

    @Test
    void warningNamesLimitOfExtensionsOnce() {
        String problem = "{\"type\":\"/problems/extensions-exhausted\",\"detail\":\"This is the maximum.\"}";
        try (FaultyProxy proxy = new FaultyProxy(service.uri())) {
            proxy.next(
                    "PUT",
                    Stream.generate(() -> FaultyProxy.answer(422, Map.of(), problem))
                            .limit(500)
                            .toArray(FaultyProxy.Fault[]::new));
            Shell.Result ran = new ShellClient(folder, proxy.uri())
                    .run(
                            "run",
                            "--ttl",
                            "6s",
                            "limited",
                            "--",
                            "sh",
                            "-c",
                            "trap 'echo ended; exit' TERM; sleep 60 & wait");
            assertEquals(ShellClient.LOST, ran.status(), ran::output);
            List<String> lines = ran.output().lines().toList();
            assertEquals(3, lines.size(), ran::output);
            assertTrue(lines.get(0).contains("remove quorumlock.extensions.max of the service"), ran::output);
            assertEquals("ended", lines.get(1));
            assertTrue(lines.get(2).startsWith("quorumlock: lost: "), ran::output);
        }
    }

    @Test
    void lockThatAnEarlierTryBrokeIsBroken() {
        service.client().acquire("broken", 60_000);
        try (FaultyProxy proxy = new FaultyProxy(service.uri())) {
            proxy.next("DELETE", FaultyProxy.lostAnswer());
            ShellClient client = new ShellClient(folder, proxy.uri());
            assertEquals(new Shell.Result(0, ""), client.run("break", "--reason", "test", "broken"));
            Scenario.assertFree(service.client(), "broken");
            assertEquals(1, client.run("break", "--reason", "test", "broken").status());
        }
    }

    private Shell.Result run(String... arguments) {
        return new ShellClient(folder, service.uri()).run(arguments);
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
}
