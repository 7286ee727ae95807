// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of authentication among the other checks of a request, over real HTTP. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class ApiKeyMechanismTest {
    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    @Test
    void requiresKeyBeforeItChecksNames() {
        RawRequest request = RawRequest.get("/locks/" + "n".repeat(3_000));
        RawAnswer rejected = send(request);
        assertEquals("401 unauthorized", rejected.status() + " " + rejected.slug());
        assertEquals(Problems.CHALLENGES, rejected.header("WWW-Authenticate"));
        assertEquals(
                "invalid-resource",
                send(request.header("Authorization", bearer("read"))).slug());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer short", "Bearer unknown-key-0123456789-0123456789"})
    void doesNotReadKeysOnPublicPaths(String header) {
        RawRequest request = RawRequest.get("/q/health/live").header("Authorization", header);
        IntStream.range(0, 11).forEach(i -> assertEquals(200, send(request).status()));
    }

    /** The pattern has the name of the user. */
    @Test
    void logsAccessToPublicPathsWithoutUser() {
        RawRequest request = RawRequest.get("/q/health/live?from=" + UUID.randomUUID());
        assertEquals(200, send(request).status());
        Eventually.holds("is in the access log", () -> log().lines()
                .anyMatch(line -> line.contains(request.target()) && line.contains(" 200 ")));
        assertFalse(log().contains("Failed to run"));
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A second authentication would exceed the quota of one request a second. */
    @Test
    void authenticatesRequestOnce() {
        RawRequest request = RawRequest.get("/nodes").header("Authorization", bearer("slow"));
        Eventually.holds("is admitted", () -> send(request).status() == 200);
    }

    private RawAnswer send(RawRequest request) {
        RawAnswer answer = new RawHttp(service).send(request);
        if (!request.target().startsWith("/q/")) {
            CONTRACT.check(request, answer);
        }
        return answer;
    }
}
