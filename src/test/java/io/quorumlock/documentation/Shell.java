// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import io.quorumlock.embedded.TemporaryFolder;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A runner of shell commands in one folder, each with a timeout. */
public record Shell(Path folder, Map<String, String> environment) {
    /** A separator between the outputs of a session that no command prints. */
    private static final String SEPARATOR = "\u001e";

    /** The output of a command, including errors, and its exit status. */
    public record Result(int status, String output) {
        public boolean succeeded() {
            return status == 0;
        }
    }

    public static boolean has(String program) {
        return new Shell(Path.of(""), Map.of())
                .run(Eventually.LONGEST, "sh", "-c", "command -v " + program)
                .succeeded();
    }

    /** Runs commands in one shell and returns the output of each. */
    List<String> session(Duration limit, List<String> commands) {
        String script = String.join("\nprintf '\\036'\n", commands);
        String output = run(limit, "sh", "-c", script).output();
        return List.of(output.split(SEPARATOR, -1));
    }

    /** Starts a program and returns at once. Its output goes to a file. */
    Process start(Path log, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toAbsolutePath().toFile());
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /** Runs one command until it ends or the limit is reached. */
    public Result run(Duration limit, String... command) {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path log = temporary.path().resolve("output");
            Process process = start(log, command);
            process.getOutputStream().close();
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String output = Files.readString(log, StandardCharsets.UTF_8);
            return ended ? new Result(process.exitValue(), output) : new Result(-1, output + "\n(took too long)");
        } catch (IOException e) {
            return new Result(-1, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
