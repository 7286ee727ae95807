package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
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
    private final Path log;
    private InetSocketAddress address;

    private Service(Process supervisor, Path log) throws IOException {
        this.supervisor = supervisor;
        this.log = log;
        long pid = Long.parseLong(supervisor.inputReader().readLine());
        this.handle = ProcessHandle.of(pid).orElseThrow(() -> new IOException("the service ended at once"));
    }

    /** Is what the service does for its users. */
    enum Form {
        /** All of it: with fencing tokens, and masters that have to earn their vote. */
        FULL,
        /** Neither. */
        PLAIN
    }

    /** Starts it, and waits until it is ready. */
    static Service start(List<URI> masters, Form form) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", SUPERVISOR, "bench-service", java.toString(), "-jar", jar(form).toString());
        builder.environment().put("QUARKUS_HTTP_HOST", "127.0.0.1");
        builder.environment().put("QUARKUS_HTTP_PORT", "0");
        builder.environment().put("QUORUMLOCK_NODE_TIMEOUT", NODE_TIMEOUT.toMillis() + "ms");
        builder.environment().put("QUORUMLOCK_TTL_MIN", "1s");
        // The guard keeps masters that remember nothing from voting for a bit longer than this.
        builder.environment().put("QUORUMLOCK_TTL_MAX", "1s");
        builder.environment().put("QUORUMLOCK_TTL_DEFAULT", "1s");
        builder.environment().put("QUORUMLOCK_RESTART_GUARD_ENABLED", Boolean.toString(form == Form.FULL));
        builder.environment()
                .put("QUORUMLOCK_NODES", masters.stream().map(URI::toString).collect(Collectors.joining(",")));
        try {
            Path log = Path.of("target/bench-service-" + form + ".log");
            Service service = new Service(builder.redirectError(log.toFile()).start(), log);
            service.awaitListening();
            service.awaitReady();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException("the service cannot be started", e);
        }
    }

    private void awaitListening() throws IOException {
        for (int tries = 0; tries < START_SECONDS * 50; tries++) {
            Matcher line = LISTENING.matcher(Files.readString(log));
            if (line.find()) {
                address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line.group(1)));
                return;
            }
            if (ended(20)) {
                break;
            }
        }
        close();
        throw new IllegalStateException("the service did not start; its own words are in " + log);
    }

    private static Path jar(Form form) {
        try {
            return form == Form.FULL ? JAR : PlainApp.make();
        } catch (IOException e) {
            throw new UncheckedIOException("the service cannot be copied", e);
        }
    }

    private void awaitReady() throws IOException {
        URL ready = new URL("http://127.0.0.1:" + address.getPort() + "/q/health/ready");
        for (int tries = 0; tries < START_SECONDS * 50; tries++) {
            HttpURLConnection probe = (HttpURLConnection) ready.openConnection();
            if (probe.getResponseCode() == HttpURLConnection.HTTP_OK || ended(20)) {
                return;
            }
        }
        close();
        throw new IllegalStateException("the service does not become ready; its own words are in " + log);
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
