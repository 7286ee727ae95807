// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Document;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.JavaCommand;
import io.quorumlock.testing.LocalService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/clients.md and README.md, as a user copies them. */
class SnippetsIT {
    private static final String DOCUMENTED = "http://localhost:8080";
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final String GO_MODULE = "github.com/quorumlock/quorumlock/clients/go";
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    private static LocalService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void shell() throws IOException {
        assumeTrue(ClientKind.SHELL.isInstalled(), "curl is not installed");
        assertWorks(
                "sh", "-c", "curl -fsO " + service.uri() + "/clients/quorumlock; chmod +x quorumlock; " + code("sh"));
    }

    @Test
    void shellInReadme() {
        assumeTrue(ClientKind.SHELL.isInstalled(), "curl is not installed");
        String code = Document.readme().blocks("sh").stream()
                .filter(block -> block.contains("sh quorumlock run"))
                .findFirst()
                .orElseThrow();
        Shell.Result ran = new Shell(
                        folder, Map.of("QUORUMLOCK_URL", service.uri().toString()))
                .run(
                        LONGEST,
                        "sh",
                        "-c",
                        code.replace("-fO", "-sfO")
                                .replace(DOCUMENTED, service.uri().toString()));
        assertEquals(new Shell.Result(0, "working\n"), ran);
    }

    @Test
    @Tag("tools")
    void python() throws IOException {
        assumeTrue(ClientKind.PYTHON.isInstalled(), "Python is not installed");
        copy("python/quorumlock.py");
        assertWorks("python3", write("example.py", code("python")));
    }

    @Test
    @Tag("tools")
    void javascript() throws IOException {
        assumeTrue(ClientKind.JAVASCRIPT.isInstalled(), "Node is not installed");
        copy("javascript/quorumlock.mjs");
        assertWorks("node", write("example.mjs", code("javascript").replace("'quorumlock'", "'./quorumlock.mjs'")));
    }

    @Test
    @Tag("tools")
    void go() throws IOException {
        assumeTrue(ClientKind.GO.isInstalled(), "Go is not installed");
        write(
                "go.mod",
                "module example\ngo 1.21\nrequire %1$s v0.0.0\nreplace %1$s => %2$s\n"
                        .formatted(GO_MODULE, CLIENTS.resolve("go")));
        write(
                "main.go",
                """
                package main

                import (
                \t"context"
                \t"fmt"
                \t"time"

                \tquorumlock "github.com/quorumlock/quorumlock/clients/go"
                )

                func work(ctx context.Context) error { return ctx.Err() }

                func run(ctx context.Context) error {
                %s
                }

                func main() {
                \tif err := run(context.Background()); err != nil {
                \t\tpanic(err)
                \t}
                }
                """
                        .formatted(code("go")));
        assertWorks("go", "run", ".");
    }

    @Test
    void java() throws IOException {
        ClientKind.JAVA.build();
        String file = write(
                "Example.java",
                """
                import io.quorumlock.client.*;
                import io.quorumlock.client.QuorumlockClient.*;
                import java.time.Duration;

                class Example {
                    public static void main(String[] arguments) throws Exception {
                        Thread worker = Thread.currentThread();
                %s
                    }
                }
                """
                        .formatted(code("java")));
        String compiled = Path.of("target/clients/java").toAbsolutePath().toString();
        assertWorks(JavaCommand.of("-cp", compiled, file).toArray(String[]::new));
    }

    private void assertWorks(String... command) {
        Map<String, String> settings = Map.of("QUORUMLOCK_URL", service.uri().toString());
        Shell.Result ran = new Shell(folder, settings).run(LONGEST, command);
        assertEquals(0, ran.status(), ran::output);
        assertTrue(ran.output().matches("working with \\d{13,16}\n"), ran::output);
        Scenario.assertFree(service.client(), "reports/daily");
    }

    private static String code(String language) {
        List<String> blocks = Document.docs("clients.md").blocks(language);
        assertEquals(1, blocks.size());
        return blocks.get(0).replace(DOCUMENTED, service.uri().toString());
    }

    private void copy(String client) throws IOException {
        Path file = CLIENTS.resolve(client);
        Files.copy(file, folder.resolve(file.getFileName()));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }
}
