// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A Redis server on a loopback port, as a child process of this JVM. */
public final class RedisProcess implements AutoCloseable {
    /** For machines that are busy: a start takes milliseconds. */
    private static final int MOST_SECONDS = 30;

    private static final int PROBE_MILLIS = 500;
    // The process id shows whether another server has the port.
    private static final String PROBE = "PING\r\nINFO server\r\nQUIT\r\n";

    private final int port;
    private final Path log;
    private final Process process;

    private RedisProcess(int port, Path log, Process process) {
        this.port = port;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a server and waits up to 30 s until it answers. With {@code --appendonly yes} it keeps its data in {@code
     * folder}.
     *
     * @throws IllegalStateException with the output of the server, if it ends or does not answer
     */
    public static RedisProcess start(Path executable, Path folder, int port, String... options) {
        RedisProcess process = launch(executable, folder, port, options);
        try {
            return process.awaitReady();
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** Starts a server without waiting for it to be ready. */
    static RedisProcess launch(Path executable, Path folder, int port, String... options) {
        List<String> command = new ArrayList<>(List.of(executable.toString(), "--port", String.valueOf(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--daemonize", "no", "--dir", folder.toString(), "--save", ""));
        command.addAll(List.of(options));
        try {
            Path log = Files.createDirectories(folder).resolve("redis.log");
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            return new RedisProcess(
                    port, log, builder.redirectOutput(log.toFile()).start());
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + executable + ": " + e.getMessage(), e);
        }
    }

    /** Waits up to 30 s until the server answers. */
    RedisProcess awaitReady() {
        CompletableFuture<Boolean> late =
                new CompletableFuture<Boolean>().completeOnTimeout(true, MOST_SECONDS, TimeUnit.SECONDS);
        while (!late.isDone()) {
            if (answers()) {
                late.complete(false);
                return this;
            }
            if (endsWithin(20)) {
                late.complete(false);
                throw new IllegalStateException("redis-server ended before it was ready: " + output());
            }
        }
        throw new IllegalStateException("redis-server did not answer on port " + port + " in time: " + output());
    }

    public URI url() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    public long pid() {
        return process.pid();
    }

    /** Returns whether the server runs; true for a suspended server. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the server with SIGKILL and waits for its end. Its folder stays. Does nothing if it has ended. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Returns whether the server answers. An answer that requires a password counts. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            socket.getOutputStream().write(PROBE.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.startsWith("-NOAUTH")
                    || answer.startsWith("+PONG") && answer.contains("process_id:" + pid() + "\r\n");
        } catch (IOException e) {
            return false;
        }
    }

    private boolean endsWithin(int milliseconds) {
        try {
            return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", e);
        }
    }

    /** Returns the end of the server's log. */
    public String output() {
        try {
            String all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
            return all.isEmpty() ? "it printed nothing" : all.substring(Math.max(0, all.length() - 2000));
        } catch (IOException e) {
            return "cannot read its log: " + e.getMessage();
        }
    }
}
