// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service with keys, and its messages for invalid keys, certificates and properties. The checks themselves
 * are tested without a process, for example in {@code ClientCertificatesTest}.
 */
class SecuredStartIT {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final String CANARY = "canary-0123456789-0123456789-0123456789";
    private static final String LIMITED = "canary-limited-0123456789-0123456789-0123";

    @TempDir
    private static Path folder;

    private static List<RedisServer> masters;
    private static ServiceProcess service;

    @BeforeAll
    static void start() throws IOException {
        masters = RedisServers.start(1);
        masters.get(0).cli("CONFIG", "SET", "requirepass", "canary-password");
        String keys = KeysText.file(
                KeysText.key("a", CANARY, ":acquire release read"), KeysText.key("b", LIMITED, "b/:read"));
        service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                masters.get(0).url().toString().replace("redis://", "redis://:canary-password@"),
                "QUORUMLOCK_SECURITY_OPEN",
                "false",
                "QUORUMLOCK_SECURITY_METRICS_NEED_KEY",
                "true",
                "QUORUMLOCK_SECURITY_KEYS_FILE",
                Files.writeString(folder.resolve("good.json"), keys).toString()));
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    @Test
    void requiresKey() {
        assertEquals(401, service.client().get("/nodes").status());
        assertEquals(200, service.client().withKey(CANARY).get("/nodes").status());
        assertTrue(!service.output().contains("open to the network"), service::output);
    }

    @Test
    void metricsRequireKeyIfConfigured() {
        assertEquals(200, service.client().get("/q/health/live").status());
        for (String path : List.of("/q/metrics", "/q/metrics/", "/q/%6Detrics")) {
            assertEquals(401, service.client().get(path).status(), path);
            assertEquals(403, service.client().withKey(LIMITED).get(path).status(), path);
        }
        for (String path : List.of("/q/./metrics", "/q//metrics")) {
            assertEquals(400, service.client().get(path).status(), path);
        }
        assertEquals(200, service.client().withKey(CANARY).get("/q/metrics").status());
    }

    @Test
    void hidesSecretsInLogsMetricsAndAnswers() {
        StringBuilder texts = new StringBuilder();
        for (String key : new String[] {CANARY, CANARY + "-wrong", "canary short"}) {
            LockClient client = service.client().withKey(key);
            texts.append(client.release("secret", "canary-token-0123456789")
                    .response()
                    .body());
            texts.append(client.acquire("secret?owner=a&token=canary-token-0123456789&x=1", 500)
                    .response()
                    .body());
            texts.append(client.get("/nothing?token=canary-token-0123456789")
                    .response()
                    .body());
            texts.append(client.get("/nodes").response().body());
            texts.append(client.get("/q/metrics").response().body());
        }
        texts.append(service.output());
        assertTrue(!texts.toString().contains("canary"), texts::toString);
    }

    @Test
    void rejectsInvalidKeyFileWithoutStackTrace() throws IOException {
        Path file = folder.resolve("keys.json");
        Files.writeString(file, "{\"keys\": [\n{\"id\": \"a\", \"sha256\": \"" + CANARY + "\"}]}");
        String output = outputOfFailedStart(Map.of("QUORUMLOCK_SECURITY_KEYS_FILE", file.toString()));
        String line =
                "QUORUMLOCK_SECURITY_KEYS_FILE=" + file + ": line 2, keys[0].sha256: must be the SHA-256 of a key";
        assertTrue(output.contains(line), output);
        assertTrue(!output.contains("canary") && !output.contains("\tat "), output);
    }

    /** For example a Secret that was created before its keys. */
    @Test
    @Tag("nightly")
    void warnsOfFileWithoutKeys() throws IOException {
        Path file = folder.resolve("none.json");
        Files.writeString(file, "{\"keys\": []}");
        Map<String, String> environment =
                Map.of("QUORUMLOCK_NODES", "redis://127.0.0.1:1", "QUORUMLOCK_SECURITY_KEYS_FILE", file.toString());
        try (ServiceProcess other = ServiceProcess.start(environment)) {
            Eventually.within(MOST, other::output, () -> other.output()
                    .matches("(?s).* WARN .*keys loaded file=\\S+ keys=0: requests .*"));
        }
    }

    @Test
    @Tag("nightly")
    void rejectsUnknownProperty() {
        String output = outputOfFailedStart(Map.of(), "-Dquorumlock.security.key-file=/nowhere");
        assertTrue(output.contains("quorumlock.security.key-file") && !output.contains("\tat "), output);
    }

    /** With one underscore the setting has no effect, and all public authorities would be trusted. */
    @Test
    @Tag("nightly")
    void rejectsTrustStoreInMisspeltVariable() {
        String pem = Certificate.of("client", folder).pem().toString();
        String output = outputOfFailedStart(Map.of(
                "QUORUMLOCK_SECURITY_CLIENT_CERTIFICATE_REQUIRED", "true",
                "QUARKUS_HTTP_TLS_CONFIGURATION_NAME", "service",
                "QUARKUS_TLS__SERVICE__TRUST_STORE_CERTIFICATE_EXPIRATION_POLICY", "warn",
                "QUARKUS_TLS_SERVICE_TRUST_STORE_PEM_CERTS", pem));
        assertTrue(output.contains("quarkus.tls.service.trust-store.pem.certs must name"), output);
        assertTrue(!output.contains("\tat "), output);
    }

    private static String outputOfFailedStart(Map<String, String> more, String... arguments) {
        Map<String, String> environment = new HashMap<>(Map.of("QUORUMLOCK_NODES", "redis://127.0.0.1:1"));
        environment.putAll(more);
        try (ServiceProcess failing = ServiceProcess.start(environment, arguments)) {
            assertNotEquals(0, failing.exitCode(), failing::output);
            return failing.output();
        }
    }
}
