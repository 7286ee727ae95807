// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.documentation.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that uses one client as it is told by JSON lines, and reports losses by itself. */
final class ClientDriver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofSeconds(40);

    private final ClientKind kind;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Loss> losses = new LinkedBlockingQueue<>();

    /**
     * A reported loss.
     *
     * @param at when the line arrived, by {@code System.nanoTime}
     */
    record Loss(String reason, long at) {}

    /** Starts a driver with these settings of the client, as environment variables. */
    ClientDriver(ClientKind kind, Map<String, String> settings) {
        this.kind = kind;
        try {
            ProcessBuilder builder = new ProcessBuilder(kind.command()).redirectError(Redirect.INHERIT);
            builder.environment().putAll(kind.environment());
            builder.environment().putAll(settings);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter();
        Thread reader = new Thread(this::readAll, "driver-" + kind);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a driver of a client of these replicas. */
    static ClientDriver of(ClientKind kind, URI... urls) {
        return new ClientDriver(
                kind,
                Map.of("QUORUMLOCK_URL", Stream.of(urls).map(URI::toString).collect(Collectors.joining(","))));
    }

    ClientKind kind() {
        return kind;
    }

    JsonNode acquire(String name, int ttlMs, int waitMs) {
        beginAcquire(name, ttlMs, waitMs);
        return answer(LONGEST);
    }

    /** Acquires a lease without a wait. Fails if it is not granted. */
    JsonNode lease(String name, int ttlMs) {
        JsonNode answer = acquire(name, ttlMs, 0);
        if (!answer.has("lease")) {
            throw new AssertionError(kind + ": " + answer);
        }
        return answer;
    }

    /** Acquires one lease of several names, without a wait. They are kept for a time after their release. */
    JsonNode acquire(List<String> names, int ttlMs, int keepMs) {
        ObjectNode command = toAcquire(ttlMs, 0).put("keepMs", keepMs);
        names.forEach(command.putArray("names")::add);
        send(command);
        return answer(LONGEST);
    }

    /** Acquires a lock that other clients may share, without a wait. */
    JsonNode acquireShared(String name, int ttlMs) {
        send(toAcquire(ttlMs, 0).put("name", name).put("shared", true));
        return answer(LONGEST);
    }

    /** Acquires a slot of a semaphore, without a wait. */
    JsonNode acquireSlot(String name, int slots, int ttlMs) {
        send(toAcquire(ttlMs, 0).put("name", name).put("slots", slots));
        return answer(LONGEST);
    }

    /** Asks for two kinds of locks at once. */
    JsonNode acquireSharedSlot(String name, int slots, int ttlMs) {
        send(toAcquire(ttlMs, 0).put("name", name).put("shared", true).put("slots", slots));
        return answer(LONGEST);
    }

    /** Sends the command. {@link #answer} returns its answer. */
    void beginAcquire(String name, int ttlMs, int waitMs) {
        beginAcquire(name, ttlMs, waitMs, JSON.createObjectNode());
    }

    /** Sends the command with more options, which the drivers pass on as they are. */
    void beginAcquire(String name, int ttlMs, int waitMs, JsonNode options) {
        send(toAcquire(ttlMs, waitMs).put("name", name).setAll((ObjectNode) options));
    }

    private ObjectNode toAcquire(int ttlMs, int waitMs) {
        return JSON.createObjectNode()
                .put("do", "acquire")
                .put("ttlMs", ttlMs)
                .put("waitMs", waitMs)
                .put("owner", kind.name());
    }

    boolean held() {
        return state().get("held").asBoolean();
    }

    /** Returns the slot of the lease of a semaphore; null for other kinds of locks. */
    JsonNode slot() {
        return state().get("slot");
    }

    /** Returns the text for the lease; missing if the language has none. */
    JsonNode text() {
        return state().path("text");
    }

    private JsonNode state() {
        send(JSON.createObjectNode().put("do", "held"));
        return answer(LONGEST);
    }

    /** Releases and returns whether the lease had been lost before. */
    boolean release() {
        beginRelease();
        return answer(LONGEST).get("lost").asBoolean();
    }

    void beginRelease() {
        send(JSON.createObjectNode().put("do", "release"));
    }

    /** Returns the next loss. Fails if none is reported in time. */
    Loss loss(Duration most) {
        return take(losses, most, "no loss");
    }

    boolean hasLoss() {
        return !losses.isEmpty();
    }

    /** Returns the next answer. Fails if none arrives in time. */
    JsonNode answer(Duration most) {
        return take(answers, most, "no answer");
    }

    /** Closes the standard input: the driver releases its lease and ends. */
    int end() {
        try {
            commands.close();
            if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(kind + " does not end");
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /**
     * Stops the driver and its children with STOP, or continues them with CONT. Some of the processes end meanwhile, and start
     * others until all are stopped.
     */
    void signal(String signal) {
        for (int time = 0; time < 3; time++) {
            String pids = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .map(handle -> Long.toString(handle.pid()))
                    .collect(Collectors.joining(" "));
            new Shell(Path.of(""), Map.of())
                    .run(Duration.ofSeconds(5), "sh", "-c", "kill -" + signal + " " + pids + " 2>/dev/null");
        }
    }

    private void send(JsonNode command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T> T take(BlockingQueue<T> queue, Duration most, String missing) {
        try {
            T next = queue.poll(most.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError(kind + ": " + missing + " within " + most);
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void readAll() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode message = JSON.readTree(line);
                if (message.has("event")) {
                    losses.add(new Loss(message.path("reason").asText(), System.nanoTime()));
                } else {
                    answers.add(message);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
