// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of the packaged service with valid and invalid keys and certificates. */
class SecuredStartIT {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final String OPEN = "open to the network";
    private static final String CANARY = "canary-0123456789-0123456789-0123456789";

    private static final String LIMITED = "canary-limited-0123456789-0123456789-0123";

    @TempDir
    Path folder;

    @Test
    void rejectsInvalidKeyFileWithoutStackTrace() throws IOException {
        Path file = folder.resolve("keys.json");
        Files.writeString(file, "{\"keys\": [\n{\"id\": \"a\", \"sha256\": \"" + CANARY + "\"}]}");
        String output = outputOfFailedStart(Map.of("QUORUMLOCK_SECURITY_KEYS_FILE", file.toString()));
        String line =
                "quorumlock.security.keys-file: " + file + ": line 2, keys[0].sha256: must be the SHA-256 of a key";
        assertTrue(output.contains(line), output);
        assertTrue(!output.contains("canary") && !output.contains("\tat "), output);
    }

    @Test
    void rejectsMissingKeyFile() {
        String output = outputOfFailedStart(Map.of("QUORUMLOCK_SECURITY_KEYS_FILE", "/nowhere/keys.json"));
        assertTrue(output.contains("keys-file: /nowhere/keys.json: the file: does not exist"), output);
    }

    /** An unset variable in a template would otherwise start a service without authentication. */
    @Test
    void rejectsEmptyKeyFile() {
        assertStartFails("quorumlock.security.keys-file is empty", Map.of("QUORUMLOCK_SECURITY_KEYS_FILE", ""));
    }

    @Test
    void rejectsToBeReachableWithoutAuthenticationByAccident() {
        assertStartFails("QUORUMLOCK_SECURITY_OPEN=true", Map.of("QUORUMLOCK_SECURITY_OPEN", "false"));
    }

    @Test
    void rejectsPortInUse() throws IOException {
        try (ServerSocket other = new ServerSocket(0)) {
            String port = String.valueOf(other.getLocalPort());
            String output = outputOfFailedStart(Map.of(), "-Dquarkus.http.port=" + port);
            assertTrue(output.contains("cannot listen on 0.0.0.0:" + port + " (Address already in use)"), output);
            assertTrue(!output.contains("\tat "), output);
        }
    }

    @Test
    void rejectsMisspeltSettings() {
        String variable = outputOfFailedStart(Map.of("QUORUMLOCK_SECURITY_KEY_FILE", "/nowhere"));
        assertTrue(variable.contains("The most similar name is QUORUMLOCK_SECURITY_KEYS_FILE"), variable);
        String property = outputOfFailedStart(Map.of(), "-Dquorumlock.security.key-file=/nowhere");
        assertTrue(property.contains("quorumlock.security.key-file"), property);
    }

    @Test
    void rejectsIncompleteClientCertificateSettings() {
        String required = "QUORUMLOCK_SECURITY_CLIENT_CERTIFICATE_REQUIRED";
        String tls = "QUARKUS_HTTP_TLS_CONFIGURATION_NAME";
        String trust = "QUARKUS_TLS__SERVICE__TRUST_STORE_PEM_CERTS";
        String ca = Certificate.of("client", folder).pem().toString();
        String missing = "quarkus.tls.service.trust-store.pem.certs must name";
        assertStartFails("quarkus.http.tls-configuration-name must name", Map.of(required, "true"));
        assertStartFails(missing, Map.of(required, "true", tls, "service"));
        // Settings that have no effect beside those of the key store. All public authorities would be trusted.
        Path key = folder.resolve("key.pem");
        Certificate server = Certificate.of("localhost", folder);
        server.writeKey(key);
        Map<String, String> settings = Map.of(
                required,
                "true",
                tls,
                "service",
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__CERT",
                server.pem().toString(),
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__KEY",
                key.toString());
        Stream.of(
                        Map.of("QUARKUS_TLS_SERVICE_TRUST_STORE_PEM_CERTS", ca),
                        Map.of("QUARKUS_TLS__SERVICE__TRUST_STORE__PEM__CERTS", ca),
                        Map.of("QUARKUS_TLS__SERVICE__TRUST_STORE_CERTIFICATE_EXPIRATION_POLICY", "warn"),
                        Map.of("QUARKUS_TLS__SERVICE__TRUST_ALL", "true"))
                .forEach(trusted -> {
                    Map<String, String> all = new HashMap<>(settings);
                    all.putAll(trusted);
                    assertStartFails(missing, all);
                });
        assertStartFails(
                "quarkus.http.insecure-requests must be disabled", Map.of(required, "true", tls, "service", trust, ca));
    }

    @Test
    void rejectsManagementPortWithoutOtherPort() {
        Map<String, String> settings =
                new HashMap<>(Map.of("QUORUMLOCK_MANAGEMENT_ENABLED", "true", "QUORUMLOCK_SECURITY_OPEN", "true"));
        assertStartFails("quarkus.http.tls-configuration-name must name a TLS configuration", settings);
        settings.put("QUARKUS_HTTP_TLS_CONFIGURATION_NAME", "service");
        settings.put("QUARKUS_HTTP_INSECURE_REQUESTS", "disabled");
        assertStartFails("quarkus.http.insecure-requests must be enabled", settings);
        settings.remove("QUARKUS_HTTP_INSECURE_REQUESTS");
        // With one underscore, as in QUARKUS_TLS_SERVICE_KEY_STORE_PEM_0_CERT, the setting has no effect.
        Certificate server = Certificate.of("localhost", folder);
        settings.put("QUARKUS_TLS__SERVICE__TRUST_STORE_PEM_CERTS", server.pem().toString());
        settings.put("QUARKUS_TLS_SERVICE_KEY_STORE_PEM_0_CERT", server.pem().toString());
        assertStartFails("quarkus.tls.service.key-store must have the certificate", settings);
    }

    private static void assertStartFails(String message, Map<String, String> environment) {
        String output = outputOfFailedStart(environment);
        assertTrue(output.contains(message) && !output.contains("\tat "), output);
    }

    @Test
    void warnsIfReachableWithoutAuthentication() throws IOException {
        List<RedisServer> masters = RedisServers.start(1);
        Path file = keys();
        try (ServiceProcess open = ServiceProcess.on(masters);
                ServiceProcess loopback = ServiceProcess.on(masters, "-Dquarkus.http.host=127.0.0.1");
                ServiceProcess keys = ServiceProcess.on(masters, "-Dquorumlock.security.keys-file=" + file)) {
            assertEquals(
                    1, open.output().lines().filter(line -> line.contains(OPEN)).count(), open::output);
            assertTrue(!loopback.output().contains(OPEN), loopback::output);
            assertTrue(!keys.output().contains(OPEN), keys::output);
            assertEquals(401, keys.client().get("/nodes").status());
        } finally {
            RedisServers.close(masters);
        }
    }

    @Test
    void metricsRequireKeyIfConfigured() throws IOException {
        List<RedisServer> masters = RedisServers.start(1);
        String keys = "-Dquorumlock.security.keys-file=" + keys();
        try (ServiceProcess service = ServiceProcess.on(masters, keys, "-Dquorumlock.security.metrics-need-key=true")) {
            assertEquals(200, service.client().get("/q/health/live").status());
            for (String path : List.of("/q/metrics", "/q/metrics/", "/q/./metrics", "/q//metrics", "/q/%6Detrics")) {
                assertEquals(401, service.client().get(path).status(), path);
                assertEquals(403, service.client().withKey(LIMITED).get(path).status(), path);
            }
            assertEquals(200, service.client().withKey(CANARY).get("/q/metrics").status());
        } finally {
            RedisServers.close(masters);
        }
    }

    @Test
    void hidesSecretsInLogsMetricsAndAnswers() throws IOException {
        List<RedisServer> masters = RedisServers.start(1);
        masters.get(0).cli("CONFIG", "SET", "requirepass", "canary-password");
        String nodes = masters.get(0).url().toString().replace("redis://", "redis://:canary-password@");
        Map<String, String> environment =
                Map.of("QUORUMLOCK_NODES", nodes, "QUORUMLOCK_SECURITY_KEYS_FILE", keys().toString());
        try (ServiceProcess service = ServiceProcess.startReady(environment)) {
            StringBuilder texts = new StringBuilder();
            for (String key : new String[] {CANARY, CANARY + "-wrong", "canary short"}) {
                LockClient client = service.client().withKey(key);
                texts.append(client.release("secret", "canary-token-0123456789")
                        .response()
                        .body());
                texts.append(client.acquire("secret?owner=a&token=canary-token-0123456789&x=1", 500)
                        .response()
                        .body());
                texts.append(client.get("/nodes").response().body());
            }
            texts.append(service.client().get("/q/metrics").response().body());
            texts.append(service.logToTheEnd(MOST));
            assertTrue(!texts.toString().contains("canary"), texts::toString);
        } finally {
            RedisServers.close(masters);
        }
    }

    private Path keys() throws IOException {
        return Files.writeString(
                folder.resolve("good.json"),
                KeysText.file(
                        KeysText.key("a", CANARY, ":acquire release read"), KeysText.key("b", LIMITED, "b/:read")));
    }

    private static String outputOfFailedStart(Map<String, String> more, String... arguments) {
        Map<String, String> environment = new HashMap<>(Map.of("QUORUMLOCK_NODES", "redis://127.0.0.1:1"));
        environment.putAll(more);
        try (ServiceProcess service = ServiceProcess.start(environment, arguments)) {
            assertNotEquals(0, service.exitCode(MOST), service::output);
            return service.output();
        }
    }
}
