package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types what the README shows, and compares the answers. */
@QuarkusTest
class ReadmeTest {
    private static final String DOCUMENTED = "http://localhost:8080";
    private static final Transcript TRANSCRIPT = Transcript.of(Document.readme().blocks("console"));

    @TestHTTPResource
    URI service;

    @Test
    void theTranscriptIsWhatHappens(@TempDir Path folder) {
        assumeTrue(Shell.has("curl"), "curl is not installed");
        String here = "http://localhost:" + service.getPort();
        List<String> commands = TRANSCRIPT.steps().stream()
                .map(step -> step.command().replace(DOCUMENTED, here))
                .toList();
        List<String> outputs = new Shell(folder, Map.of()).session(Duration.ofSeconds(30), commands);
        assertEquals(commands.size(), outputs.size(), () -> String.join("\n", outputs));
        for (int i = 0; i < outputs.size(); i++) {
            Transcript.Step step = TRANSCRIPT.steps().get(i);
            String output = outputs.get(i);
            assertTrue(
                    step.shows(output), () -> step.command() + "\nshould print\n" + step.output() + "\nnot\n" + output);
        }
    }

    @Test
    void theTranscriptGoesFromAcquireToTheSecondRelease() {
        List<String> statuses = TRANSCRIPT.steps().stream()
                .filter(step -> step.output().startsWith("HTTP"))
                .map(step -> step.output().split(" ")[1])
                .toList();
        assertEquals(List.of("201", "423", "200", "204", "404"), statuses);
    }

    @Test
    void anotherAnswerWouldBeNoticed() {
        Transcript.Step step = new Transcript.Step("x", "HTTP/1.1 200 OK\n…\n\n{\"a\":1…,\"b\":2}\n");
        assertTrue(step.shows("HTTP/1.1 200 OK\r\nDate: now\r\n\r\n{\"a\":12,\"b\":2}"));
        assertFalse(step.shows("HTTP/1.1 201 Created\r\nDate: now\r\n\r\n{\"a\":12,\"b\":2}"));
        assertFalse(step.shows("HTTP/1.1 200 OK\r\n\r\n{\"a\":22,\"b\":2}"));
        assertFalse(step.shows("HTTP/1.1 200 OK\r\n\r\n{\"a\":12,\"b\":2}\nmore"));
    }
}
