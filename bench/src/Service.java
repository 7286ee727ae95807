package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the packaged service as a process of its own that ends with this one, also when this one is killed. */
final class Service implements AutoCloseable {
    /** Longer than by default: others on a busy machine delay the work, which the pooled client would wait for as well. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

    private static final Path JAR = Path.of("target/quarkus-app/quarkus-run.jar");
    private static final Path LOG = Path.of("target/bench-service.log");
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]*:(\\d+)");
    private static final int START_SECONDS = 60;
    // Waits for the service, and in a second shell for the pipe from this JVM to close.
    private static final String SUPERVISOR =
            """
            trap '' HUP INT TERM
            exec 3<&0
            "$@" </dev/null >&2 3<&- &
            service=$!
            (while read -r line; do :; done; kill -9 $service) <&3 >/dev/null 2>&1 &
            watcher=$!
            echo $service
            wait $service
            kill -9 $watcher
            """;

    private final Process supervisor;
    private final ProcessHandle handle;
    private InetSocketAddress address;

    private Service(Process supervisor) throws IOException {
        this.supervisor = supervisor;
        long pid = Long.parseLong(supervisor.inputReader().readLine());
        this.handle = ProcessHandle.of(pid).orElseThrow(() -> new IOException("the service ended at once"));
    }

    static Service start(List<URI> masters) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", SUPERVISOR, "bench-service", java.toString(), "-jar", JAR.toString());
        builder.environment().put("QUARKUS_HTTP_HOST", "127.0.0.1");
        builder.environment().put("QUARKUS_HTTP_PORT", "0");
        builder.environment().put("QUORUMLOCK_NODE_TIMEOUT", NODE_TIMEOUT.toMillis() + "ms");
        builder.environment().put("QUORUMLOCK_TTL_MIN", "1s");
        builder.environment().put("QUORUMLOCK_RESTART_GUARD_ENABLED", "false");
        builder.environment()
                .put("QUORUMLOCK_NODES", masters.stream().map(URI::toString).collect(Collectors.joining(",")));
        try {
            Service service = new Service(builder.redirectError(LOG.toFile()).start());
            service.awaitListening();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException("the service cannot be started", e);
        }
    }

    private void awaitListening() throws IOException {
        for (int tries = 0; tries < START_SECONDS * 50; tries++) {
            Matcher line = LISTENING.matcher(Files.readString(LOG));
            if (line.find()) {
                address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line.group(1)));
                return;
            }
            if (ended(20)) {
                break;
            }
        }
        close();
        throw new IllegalStateException("the service did not start; its own words are in " + LOG);
    }

    private boolean ended(int milliseconds) {
        try {
            return supervisor.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    ProcessHandle handle() {
        return handle;
    }

    @Override
    public void close() {
        handle.destroyForcibly();
        supervisor.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
