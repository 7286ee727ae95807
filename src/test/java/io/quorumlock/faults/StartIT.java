// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Starts of the packaged service with valid and invalid settings. */
@Order(1)
@Proves("R2")
class StartIT {
    private static final Duration MOST = Duration.ofSeconds(60);

    @Test
    void rejectsMissingNodesWithInstructions() {
        String output = outputOfFailedStart(Map.of());
        assertTrue(output.contains("QUORUMLOCK_NODES=") && output.contains("QUORUMLOCK_EMBEDDED=true"), output);
    }

    @Test
    @Tag("nightly")
    void rejectsReplicaAndDuplicateServer() {
        List<RedisServer> masters = RedisServers.start(3);
        try {
            masters.get(1).cli("REPLICAOF", "127.0.0.1", "1");
            String nodes = masters.get(0).url() + "," + masters.get(1).url() + ","
                    + asIpv6(masters.get(0).url());
            String output = outputOfFailedStart(Map.of("QUORUMLOCK_NODES", nodes));
            assertTrue(output.contains("node-2") && output.contains("is not a master"), output);
            assertTrue(output.contains("is the same server as node-"), output);
        } finally {
            RedisServers.close(masters);
        }
    }

    /** Returns the IPv4 address in IPv6 notation. */
    private static String asIpv6(URI url) {
        return "redis://[::ffff:" + url.getHost() + "]:" + url.getPort();
    }

    @Test
    @Tag("nightly")
    void logsQuarantineOfMastersWithoutPersistence() {
        String nodes = "redis://127.0.0.1:1";
        String line = "masters without persistence quarantine=61s ttl_max=1m ";
        assertTrue(logOfStart(Map.of("QUORUMLOCK_NODES", nodes, "QUORUMLOCK_RESTART_GUARD_ENABLED", "true"))
                .contains(line));
        assertFalse(logOfStart(ServiceProcess.guarded(nodes, Map.of())).contains("masters without persistence"));
    }

    private static String logOfStart(Map<String, String> environment) {
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            // The line about the quarantine precedes the first attempt to connect.
            Eventually.within(MOST, service::output, () -> service.output().contains("master down"));
            return service.output();
        }
    }

    @Test
    @Tag("nightly")
    void startsWithoutMajorityAndIsNotReady() {
        List<RedisServer> masters = RedisServers.start(3);
        masters.forEach(RedisServer::kill);
        Map<String, String> environment = Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters));
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            LockClient client = service.client();
            Eventually.within(MOST, service::output, () -> client.isUp("/q/health/started"));
            assertEquals(503, client.get("/q/health/ready").status());
            assertEquals(503, client.get("/q/health/ready").status());
            masters.subList(0, 2).forEach(RedisServer::start);
            Eventually.holds(service::output, client::isReady);
            List<String> lines = service.output()
                    .lines()
                    .filter(line -> line.contains("ready") && !line.contains("start"))
                    .map(line -> line.replaceFirst(".*\\) ", ""))
                    .toList();
            assertEquals(List.of("not ready: /q/health/ready has the reason", "ready"), lines);
        } finally {
            RedisServers.close(masters);
        }
    }

    @Test
    void terminatesWithinTenSecondsAndKeepsLeases() {
        List<RedisServer> masters = RedisServers.start(3);
        try (ServiceProcess first = ServiceProcess.on(masters, ServiceProcess.SLOW_MASTERS);
                ServiceProcess second = ServiceProcess.on(masters, ServiceProcess.SLOW_MASTERS)) {
            Answer lease = first.client().acquire("stays", 60_000);
            first.terminate();
            first.exitCode(Duration.ofSeconds(10));
            assertEquals(200, second.client().extend("stays", lease.token()).status());
        } finally {
            RedisServers.close(masters);
        }
    }

    @Test
    void endsQuicklyIfTerminatedDuringStart() {
        Map<String, String> environment = Map.of("QUORUMLOCK_NODES", "redis://127.0.0.1:1");
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            Eventually.within(MOST, service::output, () -> service.output().contains("master down"));
            service.terminate();
            assertEquals(143, service.exitCode(Duration.ofSeconds(10)));
            String output = service.output();
            // A busy machine may have finished the start before the signal.
            assertTrue(
                    output.contains("\nterminated during the start\n") || output.contains("started nodes_up=0"),
                    output);
            assertFalse(output.contains("\tat "), output);
        }
    }

    @Test
    @Tag("nightly")
    void checkPrintsWhichMastersVoteAndEnds() {
        List<RedisServer> masters = RedisServers.start(3);
        masters.get(2).kill();
        Map<String, String> environment =
                Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters), "QUORUMLOCK_RESTART_GUARD_ENABLED", "false");
        try {
            assertPrinted(
                    0,
                    run(environment, "--check"),
                    line(masters, 1) + "votes",
                    line(masters, 2) + "votes",
                    line(masters, 3) + "disconnected \\(connection refused\\)",
                    "2 of 3 masters vote, 2 are required");
            masters.get(1).kill();
            assertEquals(1, run(environment, "--check").status());
        } finally {
            RedisServers.close(masters);
        }
    }

    /** A new fleet votes later, if a replica serves. The check itself writes nothing. */
    @Test
    @Tag("nightly")
    void checkAcceptsNewMastersAndWritesNothing() {
        List<RedisServer> masters = RedisServers.start(3);
        try {
            String quarantined = "quarantined for 6\\d s \\(it gives no vote .* QUORUMLOCK_MASTERS_PERSIST=true\\)";
            assertPrinted(
                    0,
                    run(Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters)), "--check"),
                    line(masters, 1) + quarantined,
                    line(masters, 2) + quarantined,
                    line(masters, 3) + quarantined,
                    "0 of 3 masters vote, and 3 would vote after their quarantine, 2 are required");
            masters.forEach(master -> assertEquals("0", master.cli("DBSIZE")));
        } finally {
            RedisServers.close(masters);
        }
    }

    /** A replica with these settings would write its longest TTL, and without the guard inspect the lock. */
    @Test
    @Tag("nightly")
    void checkWritesNothingToMastersInUse() {
        List<RedisServer> masters = RedisServers.start(3);
        Map<String, String> environment =
                Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters), "QUORUMLOCK_RESTART_GUARD_ENABLED", "true");
        try {
            try (ServiceProcess service = ServiceProcess.start(environment)) {
                Eventually.within(MOST, service::output, () -> service.output().contains("started nodes_up=0"));
            }
            masters.get(0).cli("SET", "lock:warm-up", "token", "PX", "60000");
            List<String> before = masters.stream().map(StartIT::changes).toList();
            Map<String, String> longer = new HashMap<>(environment);
            longer.put("QUORUMLOCK_TTL_MAX", "2m");
            assertEquals(0, run(longer, "--check").status());
            longer.put("QUORUMLOCK_RESTART_GUARD_ENABLED", "false");
            assertEquals(0, run(longer, "--check").status());
            assertEquals(before, masters.stream().map(StartIT::changes).toList());
        } finally {
            RedisServers.close(masters);
        }
    }

    /** Returns the number of changes of all data since the start of the master. */
    private static String changes(RedisServer master) {
        return master.cli("INFO", "persistence")
                .lines()
                .filter(line -> line.startsWith("rdb_changes_since_last_save:"))
                .findFirst()
                .orElseThrow();
    }

    /** The setting would make the quarantine an hour long, so nothing is written to the masters. */
    @Test
    @Tag("nightly")
    void checkFailsForMastersThatDoNotPersistContraryToSetting() {
        List<RedisServer> masters = RedisServers.start(3);
        try {
            String refused =
                    "refused \\(has appendfsync everysec, appendonly no; set .* or remove QUORUMLOCK_MASTERS_PERSIST\\)";
            assertPrinted(
                    1,
                    run(ServiceProcess.guarded(ServiceProcess.nodes(masters), Map.of()), "--check"),
                    line(masters, 1) + refused,
                    line(masters, 2) + refused,
                    line(masters, 3) + refused,
                    "0 of 3 masters vote, 2 are required");
            masters.forEach(master -> assertEquals("0", master.cli("DBSIZE")));
        } finally {
            RedisServers.close(masters);
        }
    }

    private static String line(List<RedisServer> masters, int number) {
        return "node-" + number + " \\(127.0.0.1:"
                + masters.get(number - 1).url().getPort() + "\\): ";
    }

    private static void assertPrinted(int status, Shell.Result result, String... lines) {
        assertLinesMatch(List.of(lines), result.output().lines().toList());
        assertEquals(status, result.status());
    }

    /** The embedded masters stop after the service, which would otherwise report that it lost them. */
    @Test
    @Tag("nightly")
    void endsTrialWithoutReportOfOutage() {
        try (ServiceProcess service = ServiceProcess.startReady(Map.of("QUORUMLOCK_EMBEDDED", "true"))) {
            assertTrue(service.output().contains("Listening on: http://127.0.0.1:"), service::output);
            service.terminate();
            assertEquals(143, service.exitCode(Duration.ofSeconds(10)));
            assertFalse(service.output().matches("(?s).*(master down|locks unavailable|ERROR).*"), service::output);
        }
    }

    @Test
    @Tag("nightly")
    void saysThatTrialIsIgnoredWithServers() {
        Map<String, String> both = Map.of("QUORUMLOCK_EMBEDDED", "true", "QUORUMLOCK_NODES", "redis://127.0.0.1:1");
        String warning = "QUORUMLOCK_EMBEDDED=true is ignored";
        assertTrue(logOfStart(both).contains(warning));
        assertTrue(run(both, "--check").output().startsWith(warning));
    }

    @Test
    void printsWrongSettingInOneLine() {
        String expected = "QUORUMLOCK_TTL_MAX=30000: a number without a unit; write 30s or 30000ms\n";
        assertEquals(new Shell.Result(1, expected), run(Map.of("QUORUMLOCK_TTL_MAX", "30000"), "--check"));
    }

    /** The message of Quarkus is enough, without a stack trace. */
    @Test
    @Tag("nightly")
    void printsOtherFailuresInOneLine() {
        Map<String, String> environment = Map.of(
                "QUORUMLOCK_NODES", "redis://127.0.0.1:1",
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__CERT", "none.pem",
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__KEY", "none.pem");
        String output = outputOfFailedStart(environment);
        assertTrue(output.matches("(?s).*the start failed: .*'service'.*none.pem.*"), output);
        assertFalse(output.contains("\tat "), output);
    }

    @Test
    void rejectsUnknownArgument() {
        Shell.Result wrong = run(Map.of(), "--chek");
        assertEquals(64, wrong.status());
        assertTrue(wrong.output().startsWith("unknown argument --chek\nUsage: "), wrong::output);
    }

    private Shell.Result run(Map<String, String> environment, String argument) {
        Map<String, String> open = new HashMap<>(environment);
        open.put("QUORUMLOCK_SECURITY_OPEN", "true");
        return new Shell(Path.of(""), open).run(MOST, ServiceProcess.command(argument));
    }

    private static String outputOfFailedStart(Map<String, String> environment) {
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            assertNotEquals(0, service.exitCode(), service::output);
            return service.output();
        }
    }
}
