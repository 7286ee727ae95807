// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the operator's page. */
@QuarkusTest
class PageFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/META-INF/resources/ui");
    private static final int MOST_BYTES = 150 * 1024;

    @TestHTTPResource
    URI service;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/ui", "/ui/"})
    void pageIsServed(String path) {
        Answer answer = new LockClient(service).get(path);
        assertEquals(200, answer.status());
        assertTrue(answer.response().body().contains("/ui/app.mjs"));
        assertProtected(answer);
    }

    @Test
    void filesAreServedWithProtectionAndWithinSize() throws IOException {
        int bytes = 0;
        for (Path file : files()) {
            Answer answer = new LockClient(service).get("/ui/" + file.getFileName());
            assertEquals(200, answer.status(), file::toString);
            assertProtected(answer);
            if (file.toString().endsWith(".mjs")) {
                assertTrue(answer.headers().get("content-type").startsWith("text/javascript"), file::toString);
            }
            bytes += answer.response().body().length();
        }
        Answer library = new LockClient(service).get("/ui/preact.mjs");
        assertProtected(library);
        assertTrue(library.headers().get("content-type").startsWith("text/javascript"));
        bytes += library.response().body().length();
        assertTrue(bytes < MOST_BYTES, bytes + " bytes");
    }

    @Test
    void otherFilesOfLibrariesAreNotServed() {
        String folder = "/webjars/preact/10.24.3/";
        for (String file : List.of("dist/preact.module.js", "package.json", "LICENSE", "")) {
            assertEquals(404, new LockClient(service).get(folder + file).status(), file);
        }
    }

    @Test
    void filesContainNoInlineScriptAndNoOtherSite() throws IOException {
        for (Path file : files()) {
            String text = Files.readString(file).replace("http://www.w3.org/2000/svg", "");
            assertFalse(text.matches("(?s).*(https?://|innerHTML|\\beval\\(|<style|style=\").*"), file::toString);
        }
    }

    @Test
    void missingFilesGet404() {
        assertEquals(404, new LockClient(service).get("/ui/missing.mjs").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui%2Findex.html",
                "/ui%2findex.html",
                "/ui%5Cindex.html",
                "/%2Fui/index.html",
                "/%2Fui%2Fapp.mjs",
                "/x/..%2Fui/index.html",
                "/x/%2E%2E%2Fui%2Findex.html",
                "/clients%2Fquorumlock",
                "/clients/..%2Fui%2Findex.html",
                "/clients%5Cquorumlock",
                "/ui/%2E/index.html",
                "/q/..%5cui%5cindex.html"
            })
    void filesAreNotServedByEncodedPaths(String path) {
        assertEquals(400, new LockClient(service).get(path).status());
    }

    private static void assertProtected(Answer answer) {
        String policy = answer.headers().get("content-security-policy");
        assertTrue(policy.startsWith("default-src 'self';"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertEquals("nosniff", answer.headers().get("x-content-type-options"));
        assertEquals("no-referrer", answer.headers().get("referrer-policy"));
        assertEquals("no-store", answer.headers().get("cache-control"));
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }
}
