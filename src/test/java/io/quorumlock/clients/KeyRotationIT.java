// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replaced API key while the clients hold leases, in all languages. */
@Tag("nightly")
class KeyRotationIT {
    private static final int TTL_MS = 9_000;
    private static final int LONG_TTL_MS = 60_000;
    private static final String RULES = ":acquire extend release read";

    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static int rotations;

    @TempDir
    static Path folder;

    private final Map<ClientKind, ClientDriver> drivers = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() throws IOException {
        ClientKind.installed().forEach(ClientKind::build);
        masters = RedisServers.start(5);
        replaceKey();
        service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(",")),
                "QUORUMLOCK_SECURITY_KEYS_FILE",
                folder.resolve("keys.json").toString(),
                "QUORUMLOCK_SECURITY_RELOAD_PERIOD",
                "100ms"));
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    @AfterEach
    void endDrivers() {
        drivers.values().forEach(ClientDriver::close);
    }

    @Test
    void leaseIsExtendedWithTheNewKey() throws IOException {
        acquireWithAll("extended", TTL_MS);
        rotate();
        Scenario.run("extended", (kind, lock) -> {
            ClientDriver driver = drivers.get(kind);
            int before = extensions(lock);
            Eventually.holds("an extension of " + lock, () -> extensions(lock) > before);
            assertTrue(driver.held());
            assertFalse(driver.release());
            assertFalse(driver.hasLoss());
            Scenario.assertFree(service.client().withKey(key()), lock);
        });
    }

    @Test
    void leaseIsReleasedWithTheNewKey() throws IOException {
        acquireWithAll("released", LONG_TTL_MS);
        rotate();
        Scenario.run("released", (kind, lock) -> {
            assertFalse(drivers.get(kind).release());
            Scenario.assertFree(service.client().withKey(key()), lock);
        });
    }

    @Test
    void runningClientAcquiresWithTheNewKey() throws IOException {
        acquireWithAll("acquired", LONG_TTL_MS);
        Scenario.run("acquired", (kind, lock) -> assertFalse(drivers.get(kind).release()));
        rotate();
        acquireWithAll("acquired", LONG_TTL_MS);
        Scenario.run("acquired", (kind, lock) -> assertFalse(drivers.get(kind).release()));
    }

    /** Replaces the key, and waits until the service rejects the old one. */
    private static void rotate() throws IOException {
        String old = key();
        replaceKey();
        Eventually.holds(
                service::output,
                () -> service.client().withKey(old).get("/nodes").status() == 401);
    }

    private static void replaceKey() throws IOException {
        rotations++;
        replace("client.key", key() + "\n");
        replace("keys.json", KeysText.file(KeysText.key("client-" + rotations, key(), RULES)));
    }

    private static void replace(String name, String content) throws IOException {
        Path written = Files.writeString(folder.resolve(name + ".new"), content);
        Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String key() {
        return rotations + "-" + "k".repeat(40);
    }

    private void acquireWithAll(String scenario, int ttlMs) {
        Scenario.run(scenario, (kind, lock) -> drivers.computeIfAbsent(kind, KeyRotationIT::driver)
                .lease(lock, ttlMs));
    }

    private static ClientDriver driver(ClientKind kind) {
        return new ClientDriver(
                kind,
                Map.of(
                        "QUORUMLOCK_URL",
                        service.uri().toString(),
                        "QUORUMLOCK_KEY_FILE",
                        folder.resolve("client.key").toString()));
    }

    private static int extensions(String lock) {
        return Scenario.inspect(service.client().withKey(key()), lock)
                .body()
                .path("extensions")
                .asInt();
    }
}
