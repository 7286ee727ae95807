// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The end of commands of {@code quorumlock run} whose leases cannot be extended. */
@EnabledIf(value = "io.quorumlock.clients.ShellClient#isInstalled", disabledReason = "curl is not installed")
@Isolated
@Tag("nightly")
class ShellLeaseEndIT {
    /** Commands at the same time, in each round. */
    private static final int RUNS = 10;

    private static final int ROUNDS = Integer.getInteger("clients.rounds", 1);

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
        Eventually.within(ShellClient.LONGEST, () -> "some do not run: " + runs, () -> IntStream.range(0, RUNS)
                .allMatch(run -> Files.exists(folder.resolve(names.get(run)))
                        || runs.get(run).isDone()));
        runs.stream().filter(CompletableFuture::isDone).forEach(run -> fail("ended too early: " + run.join()));
        List<Instant> ends = stopMasters(names);
        try {
            for (int run = 0; run < RUNS; run++) {
                Shell.Result ran = runs.get(run).join();
                assertEquals(ShellClient.LOST, ran.status(), ran::output);
                Instant last = lastStamp(folder.resolve(names.get(run)));
                Instant end = ends.get(run);
                assertTrue(last.isBefore(end), () -> last + " is after the end of the lease at " + end);
            }
        } finally {
            service.masters().forEach(RedisServer::resume);
            Eventually.within(ShellClient.LONGEST, service::output, service.client()::isReady);
        }
    }

    private Shell.Result writeStamps(String name) {
        Path stamps = folder.resolve(name);
        return new ShellClient(folder, service.uri())
                .run(
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
        service.replica().suspend();
        try {
            List<Instant> ends = names.stream()
                    .map(name -> service.masters().stream()
                            .map(master -> Instant.now().plusMillis(Long.parseLong(master.cli("PTTL", "lock:" + name))))
                            .sorted()
                            .toList()
                            .get(2))
                    .toList();
            service.masters().forEach(RedisServer::suspend);
            return ends;
        } finally {
            service.replica().resume();
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
}
