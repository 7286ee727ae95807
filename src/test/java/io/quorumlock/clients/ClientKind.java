// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** The languages with a client, and how to run the driver of each. */
enum ClientKind {
    SHELL("sh", List.of("sh", "src/test/clients/driver.sh")),
    PYTHON("python3", List.of("python3", "src/test/clients/driver.py")),
    JAVASCRIPT("node", List.of("node", "src/test/clients/driver.mjs")),
    GO("go", List.of("target/clients/driver-go")),
    JAVA("java", JavaCommand.of("-cp", "target/clients/java", "Driver"));

    private static final Duration BUILD = Duration.ofMinutes(2);

    private final String program;
    private final List<String> command;
    private boolean built;

    ClientKind(String program, List<String> command) {
        this.program = program;
        this.command = command;
    }

    boolean isInstalled() {
        return switch (this) {
            case JAVA -> true;
            case SHELL -> Shell.has("curl");
            default -> Shell.has(program);
        };
    }

    /** Returns the installed ones, or those of them that {@code -Dclients=PYTHON,GO} names. */
    static List<ClientKind> installed() {
        List<String> named = List.of(System.getProperty("clients", "").split(","));
        return Arrays.stream(values())
                .filter(kind -> named.contains("") || named.contains(kind.name()))
                .filter(ClientKind::isInstalled)
                .toList();
    }

    List<String> command() {
        return command;
    }

    /** Returns variables that let the driver find the client. */
    Map<String, String> environment() {
        return this == PYTHON
                ? Map.of(
                        "PYTHONPATH",
                        Path.of("clients/python").toAbsolutePath().toString(),
                        "PYTHONDONTWRITEBYTECODE",
                        "1")
                : Map.of();
    }

    /** Compiles what must be compiled, once: other tests run it already. */
    synchronized void build() {
        if (built) {
            return;
        }
        built = true;
        switch (this) {
            case GO -> run(
                    Path.of("src/test/clients/go"),
                    "go",
                    "build",
                    "-o",
                    Path.of("target/clients/driver-go").toAbsolutePath().toString(),
                    ".");
            case JAVA -> compile(
                    "target/classes/META-INF/resources/clients/QuorumlockClient.java", "src/test/clients/Driver.java");
            default -> {}
        }
    }

    private static void compile(String... sources) {
        Path folder = Path.of("target/clients/java");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments =
                new ArrayList<>(List.of("-Xlint:all,-try", "-Werror", "--release", "17", "-d", folder.toString()));
        arguments.addAll(List.of(sources));
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new AssertionError("javac failed with status " + status);
        }
    }

    private static void run(Path folder, String... command) {
        Shell.Result built = new Shell(folder, Map.of()).run(BUILD, command);
        if (!built.succeeded()) {
            throw new AssertionError(built.output());
        }
    }
}
