// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that the service hands out. */
@QuarkusTest
class StaticFilesTest {
    @TestHTTPResource
    URI service;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shell/quorumlock",
                "python/quorumlock.py",
                "agents/SKILL.md",
                "javascript/quorumlock.mjs",
                "javascript/quorumlock.d.mts",
                "go/quorumlock.go"
            })
    void clientsAreServedAndListed(String file) throws IOException {
        Path path = Path.of("clients", file);
        RawAnswer answer = get("/clients/" + path.getFileName());
        assertEquals(200, answer.status());
        assertEquals(Files.readString(path), answer.body());
        assertTrue(get("/clients/").body().contains("href=\"" + path.getFileName() + '"'));
    }

    /** It is assembled from the files of its package. */
    @Test
    void clientInJavaIsServedAsOneFile() {
        RawAnswer answer = get("/clients/QuorumlockClient.java");
        assertEquals(200, answer.status());
        for (String type :
                new String[] {"final class Quorumlock", "    public static final class ", "    private record "}) {
            assertTrue(answer.body().contains(type), type);
        }
        assertTrue(get("/clients/").body().contains("href=\"QuorumlockClient.java\""));
    }

    @Test
    void rangeBeyondTheFileIsRejected() {
        RawAnswer answer =
                new RawHttp(service).send(RawRequest.get("/clients/quorumlock").header("Range", "bytes=99999999-"));
        assertEquals(400, answer.status());
        assertEquals("invalid-request", answer.slug());
    }

    private RawAnswer get(String path) {
        return new RawHttp(service).send(RawRequest.get(path));
    }
}
