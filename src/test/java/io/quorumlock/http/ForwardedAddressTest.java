// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
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
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addresses of clients behind a trusted proxy, which sets X-Forwarded-For. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class ForwardedAddressTest {

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    @ParameterizedTest
    @CsvSource({"10.1.2.3, 10.1.2.3", "2001:db8::1, 2001:db8:0:0:0:0:0:1"})
    void areThoseThatTheProxyReports(String header, String client) {
        String name = "audit/" + UUID.randomUUID();
        RawAnswer answer = new RawHttp(service)
                .send(RawRequest.delete("/locks/" + name + "?force=true&reason=test")
                        .header("Authorization", bearer("all"))
                        .header("X-Forwarded-For", header));
        assertEquals(404, answer.status(), answer.toString());
        String line = "forced release status=404 resource=\"" + name + "\"";
        Eventually.holds(() -> "no audit line of " + header, () -> log().contains(line));
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

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
