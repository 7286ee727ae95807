// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The packaged service in its own process. */
final class Service implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]*:(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern HEAP = Pattern.compile("(?m)^(?!.*(?:Metaspace|class space)).*\\bused (\\d+)K");
    private static final double KIBI = 1024;
    private static final int TIMEOUT_SECONDS = 60;
    private static final int POLL_MS = 5;

    private final ServiceConfig config;
    private final ChildProcess process;
    private InetSocketAddress address;

    private Service(ServiceConfig config, ChildProcess process) {
        this.config = config;
        this.process = process;
    }

    /** Starts the service and waits until it is ready. */
    static Service start(List<URI> masters, ServiceConfig config) {
        Map<String, String> environment = new HashMap<>(config.settings());
        if (!environment.containsKey("QUORUMLOCK_ENGINE")) {
            environment.put(
                    "QUORUMLOCK_NODES", masters.stream().map(URI::toString).collect(Collectors.joining(",")));
        }
        try {
            Path log = Environment.WORK.resolve("service-" + config.name() + ".log");
            Service service = new Service(config, ChildProcess.supervised(log, environment, config.command()));
            service.awaitReady();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException("the service cannot be started: " + e.getMessage(), e);
        }
    }

    private void awaitReady() {
        try {
            await("start", this::listens);
            await("become ready", () -> get(config.readyPath()).status() == HttpURLConnection.HTTP_OK);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private boolean listens() {
        Matcher line = LISTENING.matcher(process.output());
        if (line.find()) {
            address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line.group(1)));
        }
        return address != null;
    }

    /** Waits until the service is connected to all masters. */
    void awaitAllMasters() {
        await("reconnect to all masters", () -> get(config.readyPath()).body().contains("\"degraded\": false"));
    }

    /** Waits until a gauge fulfils the condition. */
    void awaitGauge(String name, Predicate<Integer> condition) {
        Pattern gauge = Pattern.compile("(?m)^" + name + "(?:\\{.*})? ([0-9.E]+)");
        await("reach the expected " + name, () -> {
            Matcher line = gauge.matcher(get("/q/metrics").body());
            return line.find() && condition.test((int) Double.parseDouble(line.group(1)));
        });
    }

    /** Returns the sum of all series of a counter. */
    long count(String name) throws IOException {
        return Pattern.compile("(?m)^" + name + "(?:\\{.*})? ([0-9.E]+)")
                .matcher(get("/q/metrics").body())
                .results()
                .mapToLong(line -> (long) Double.parseDouble(line.group(1)))
                .sum();
    }

    /** Waits until a check holds. */
    void await(String what, Check check) {
        long begin = System.nanoTime();
        try {
            while (!check.holds()) {
                rest(POLL_MS);
                if (System.nanoTime() - begin
                        > Duration.ofSeconds(TIMEOUT_SECONDS).toNanos()) {
                    throw new IllegalStateException(
                            "the service did not " + what + " within " + TIMEOUT_SECONDS + " s, see " + process.log());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the service did not " + what, e);
        }
    }

    @FunctionalInterface
    interface Check {
        boolean holds() throws IOException;
    }

    /** Waits, and throws an IllegalStateException if the service exits meanwhile. */
    void rest(int milliseconds) {
        if (process.awaitEnd(milliseconds)) {
            throw new IllegalStateException("the service has exited, last line: " + process.lastLogLine());
        }
    }

    private HttpConnection.Response get(String path) throws IOException {
        return request("GET", path);
    }

    /** Sends a request that is not measured. */
    HttpConnection.Response request(String method, String path) throws IOException {
        return request(method, path, Map.of());
    }

    HttpConnection.Response request(String method, String path, Map<String, String> headers) throws IOException {
        URL url = new URL("http://127.0.0.1:" + address.getPort() + path);
        HttpURLConnection request = (HttpURLConnection) url.openConnection();
        request.setRequestMethod(method);
        headers.forEach(request::setRequestProperty);
        request.setReadTimeout(TIMEOUT_SECONDS * 1_000);
        int status = request.getResponseCode();
        try (var body =
                status < HttpURLConnection.HTTP_BAD_REQUEST ? request.getInputStream() : request.getErrorStream()) {
            String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new HttpConnection.Response(status, text);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    ProcessHandle handle() {
        return process.handle();
    }

    /** Returns the resident memory as an additional figure. */
    Map<String, Double> facts() {
        return Map.of("service, resident MiB", residentMebibytes());
    }

    double residentMebibytes() {
        try {
            Path status = Path.of("/proc/" + handle().pid() + "/status");
            Matcher line = RESIDENT.matcher(Files.readString(status));
            if (!line.find()) {
                throw new IllegalStateException("no VmRSS in " + status);
            }
            return Long.parseLong(line.group(1)) / KIBI;
        } catch (IOException e) {
            throw new UncheckedIOException("resident memory can be read on Linux only", e);
        }
    }

    double usedHeapMebibytes() {
        return HEAP.matcher(jcmd("GC.heap_info"))
                        .results()
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum()
                / KIBI;
    }

    void collectGarbage() {
        jcmd("GC.run");
    }

    private String jcmd(String command) {
        try {
            String program = config.java().resolve("bin/jcmd").toString();
            Process jcmd = new ProcessBuilder(program, Long.toString(handle().pid()), command)
                    .redirectErrorStream(true)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("jcmd cannot be run", e);
        }
    }

    /** Stops the service gracefully. */
    void stop() {
        process.stop(TIMEOUT_SECONDS);
    }

    @Override
    public void close() {
        process.close();
    }
}
