// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.rest.SecuredProfile.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addresses of clients behind a trusted proxy, which appends the address of its client to X-Forwarded-For. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class ForwardedAddressTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    @ParameterizedTest
    @CsvSource({
        "unknown, 127.0.0.1",
        "10.1.2.3, 10.1.2.3",
        "10.1.2.3:4711, 10.1.2.3",
        "'10.6.6.6, 10.1.2.3', 10.1.2.3",
        "'unknown, 2001:db8::1', 2001:db8::1",
        "'10.6.6.6,[2001:db8::1]:4711', 2001:db8::1",
        "'127.0.0.1, 10.1.2.3', 10.1.2.3",
        "'127.0.0.1:99999, 10.1.2.3', 10.1.2.3"
    })
    void areThoseThatTheProxyAppended(String header, String client) {
        String name = "audit/" + UUID.randomUUID();
        RawAnswer answer = new RawHttp(service)
                .send(RawRequest.delete("/locks/" + name + "?force=true&reason=test")
                        .header("Authorization", bearer("all"))
                        .header("X-Forwarded-For", header));
        assertEquals(404, answer.status(), answer.toString());
        String line = "forced release status=404 resource=\"" + name + "\"";
        Eventually.within(SOON, () -> "no audit line of " + header, () -> log().contains(line));
        String audit =
                log().lines().filter(text -> text.contains(line)).findAny().orElseThrow();
        assertTrue(audit.contains("[io.quo.audit]"), audit);
        assertTrue(audit.contains("client=\"" + client + "\""), audit);
    }

    /** The framework rejects it before any filter. */
    @Test
    void mayNotBeMalformed() {
        RawAnswer answer = new RawHttp(service).send(RawRequest.get("/nodes").header("X-Forwarded-For", ","));
        assertEquals(400, answer.status());
    }

    /** A client could otherwise try keys without end. */
    @Test
    void cannotBeChosenByClients() {
        IntStream.range(0, 10).forEach(i -> assertEquals(401, tryKey("10.5.5." + i + ", 10.8.8.8")));
        assertEquals(429, tryKey("10.5.5.99, 10.8.8.8"));
        assertEquals(401, tryKey("10.5.5.99, 10.8.8.9"));
    }

    private int tryKey(String forwardedFor) {
        return new RawHttp(service)
                .send(RawRequest.get("/nodes")
                        .header("Authorization", bearer("unknown"))
                        .header("X-Forwarded-For", forwardedFor))
                .status();
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
