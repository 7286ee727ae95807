// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transcripts of README.md, docs/http-api.md and docs/kinds.md, compared with the real output. */
@QuarkusTest
class TranscriptTest {
    private static final Transcript README = transcript(Document.readme());
    private static final Transcript HTTP_API = transcript(Document.docs("http-api.md"));
    private static final Transcript KINDS = transcript(Document.docs("kinds.md"));

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    @Test
    void readmeShowsRealAnswers() {
        run(README);
        assertEquals(List.of("201", "423", "204"), statuses(README));
    }

    @Test
    void httpApiShowsRealAnswers() {
        run(HTTP_API);
        assertEquals(List.of("201", "423", "200", "204", "404"), statuses(HTTP_API));
    }

    @Test
    void kindsShowRealAnswers() {
        run(KINDS);
        assertEquals(List.of("200", "204", "204"), statuses(KINDS));
    }

    @Test
    void detectsOtherAnswers() {
        Transcript.Step step = new Transcript.Step("x", "HTTP/1.1 200 OK\n…\n\n{\"a\":1…,\"b\":2}\n");
        assertTrue(step.matches("HTTP/1.1 200 OK\r\nDate: now\r\n\r\n{\"a\":12,\"b\":2}"));
        assertFalse(step.matches("HTTP/1.1 201 Created\r\nDate: now\r\n\r\n{\"a\":12,\"b\":2}"));
        assertFalse(step.matches("HTTP/1.1 200 OK\r\n\r\n{\"a\":22,\"b\":2}"));
        assertFalse(step.matches("HTTP/1.1 200 OK\r\n\r\n{\"a\":12,\"b\":2}\nmore"));
    }

    private void run(Transcript transcript) {
        assumeTrue(Shell.has("curl"), "curl is not installed");
        transcript.at(service).run(new Shell(folder, Map.of()));
    }

    private static Transcript transcript(Document document) {
        return Transcript.of(document.blocks("console"));
    }

    private static List<String> statuses(Transcript transcript) {
        return transcript.steps().stream()
                .filter(step -> step.output().startsWith("HTTP"))
                .map(step -> step.output().split(" ")[1])
                .toList();
    }
}
