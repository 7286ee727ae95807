// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.interop;

import io.quorumlock.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A client process that locks with the npm package "redlock". Not thread-safe. */
final class NodeRedlock implements AutoCloseable {
    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;

    private NodeRedlock(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static NodeRedlock start(Path folder, List<RedisServer> masters) {
        List<String> command = new ArrayList<>(List.of("node", "redlock-client.mjs"));
        masters.forEach(master -> command.add(master.url().toString()));
        try {
            return new NodeRedlock(new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(folder.resolve("node.log").toFile())
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes one attempt and returns whether a majority granted it. */
    boolean acquire(String resource, int ttlMs) {
        return ask("acquire " + resource + " " + ttlMs, "granted", "refused");
    }

    /** Releases a lock and returns whether a majority still held it. */
    boolean release(String resource) {
        return ask("release " + resource, "released", "lost");
    }

    private boolean ask(String command, String yes, String no) {
        commands.println(command);
        try {
            String answer = answers.readLine();
            if (!yes.equals(answer) && !no.equals(answer)) {
                throw new AssertionError(command + ": " + answer);
            }
            return yes.equals(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
