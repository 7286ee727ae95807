// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
import static io.quorumlock.http.SecuredProfile.secret;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of the key file at run time, and the secrecy of keys and tokens. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class KeysReloadTest {
    private static final String NEW = KeysText.key("new", secret("new"), ":read events");

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "quorumlock.security.keys-file")
    Path file;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    @AfterEach
    void restoreKeys() throws IOException {
        Files.writeString(file, SecuredProfile.file());
        Eventually.holds("the keys are restored", () -> metric("quorumlock_security_keys") == 12);
    }

    @Test
    void addsAndRemovesKeyWhileOthersAreInUse() throws IOException {
        AtomicBoolean over = new AtomicBoolean();
        Set<Integer> seen = new TreeSet<>();
        CompletableFuture<Void> others = Background.run(() -> {
            while (!over.get()) {
                seen.add(nodes("read"));
            }
        });
        for (int i = 0; i < 3; i++) {
            Files.writeString(file, SecuredProfile.file(NEW));
            Eventually.holds("the new key is accepted", () -> nodes("new") == 200);
            Files.writeString(file, SecuredProfile.file());
            Eventually.holds("the new key is rejected", () -> nodes("new") == 401);
        }
        over.set(true);
        others.join();
        assertEquals(Set.of(200), seen);
    }

    @Test
    void endsStreamAfterRemovalOfItsKey() throws IOException {
        Files.writeString(file, SecuredProfile.file(NEW));
        Eventually.holds("the new key is accepted", () -> nodes("new") == 200);
        try (EventReader reader = new EventReader(service, "/events", "Authorization: " + bearer("new") + "\r\n")) {
            reader.nextStarting(": hints");
            Files.writeString(file, SecuredProfile.file());
            reader.nextStarting("event: end");
        }
    }

    @Test
    void keepsKeysAndLogsErrorOfInvalidFile() throws IOException {
        Files.writeString(file, "{\"keys\": [{\"id\": \"a\", \"sha256\": \"" + secret("pasted") + "\"}]}");
        Eventually.holds("the file is rejected", () -> metric("quorumlock_security_keys_stale") == 1);
        assertEquals(200, nodes("read"));
        Eventually.holds(
                "logged", () -> logged("keys not reloaded file=" + file + " keys=12, the earlier keys stay active"));
        Eventually.holds("logged", () -> logged("line 1, keys[0].sha256: must be the SHA-256 of a key"));
        Files.delete(file);
        Eventually.holds("logged", () -> logged("the file does not exist"));
        assertEquals(200, nodes("read"));
        Files.writeString(file, SecuredProfile.file());
        Eventually.holds("the file is accepted", () -> metric("quorumlock_security_keys_stale") == 0);
        assertNoCanary("");
    }

    @Test
    void auditLineContainsKeyId() {
        send(RawRequest.delete("/locks/reload/none?force=true&reason=x").header("Authorization", bearer("force")));
        Eventually.holds(
                "logged", () -> logged("resource=\"reload/none\" reason=\"x\" key=\"force\" client=\"127.0.0.1\""));
    }

    @Test
    void hidesKeysAndTokensInAnswersLogsAndMetrics() {
        String token = "canary-token-0123456789";
        StringBuilder answers = new StringBuilder();
        for (String key : new String[] {"all", "read", "unknown"}) {
            CallWithVerb.all()
                    .map(route -> route.request().header("Authorization", bearer(key)))
                    .forEach(request -> answers.append(send(request)));
        }
        answers.append(
                send(RawRequest.delete("/locks/reload/x").token(token).header("Authorization", bearer("release"))));
        answers.append(send(RawRequest.get("/nodes?token=" + token).header("Authorization", bearer("read"))));
        answers.append(send(RawRequest.get("/nodes").header("Authorization", secret("read"))));
        answers.append(send(RawRequest.get("/nodes").header("Authorization", "Basic " + secret("read"))));
        answers.append(send(RawRequest.get("/elsewhere").header("Authorization", bearer("read"))));
        assertNoCanary(answers.toString());
    }

    private void assertNoCanary(String answers) {
        String all = answers
                + log
                + send(RawRequest.get("/q/metrics")).body()
                + send(RawRequest.get("/q/health")).body();
        assertEquals(-1, all.indexOf("canary"), () -> all.substring(Math.max(0, all.indexOf("canary") - 200)));
    }

    private boolean logged(String text) {
        return log().contains(text);
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int nodes(String key) {
        return send(RawRequest.get("/nodes").header("Authorization", bearer(key)))
                .status();
    }

    private int metric(String name) {
        return send(RawRequest.get("/q/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    private RawAnswer send(RawRequest request) {
        return new RawHttp(service).send(request);
    }
}
