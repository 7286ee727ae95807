package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the packaged service as a process of its own. */
final class Service implements AutoCloseable {
    /** Longer than by default: others on a busy machine delay the work, which the pooled client would wait for as well. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]*:(\\d+)");
    private static final int PATIENCE_SECONDS = 60;
    private static final int LOOK_EVERY_MS = 5;

    private final Form form;
    private final Child child;
    private InetSocketAddress address;

    private Service(Form form, Child child) {
        this.form = form;
        this.child = child;
    }

    /** Starts it, and waits until it is ready. */
    static Service start(List<URI> masters, Form form) {
        Map<String, String> environment = new HashMap<>(form.settings());
        environment.put("QUORUMLOCK_NODES", masters.stream().map(URI::toString).collect(Collectors.joining(",")));
        try {
            if (form.equals(Form.PLAIN)) {
                PlainApp.make();
            }
            Path log = Path.of("target/bench-service-" + form.name() + ".log");
            Service service = new Service(form, Child.supervised(log, environment, form.command()));
            service.awaitReady();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException("the service cannot be started: " + e.getMessage(), e);
        }
    }

    private void awaitReady() {
        try {
            await("start", this::listens);
            await("become ready", () -> get(form.ready()).status() == HttpURLConnection.HTTP_OK);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private boolean listens() {
        Matcher line = LISTENING.matcher(child.output());
        if (line.find()) {
            address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line.group(1)));
        }
        return address != null;
    }

    /** Waits until it is connected to all masters again. */
    void awaitAllMasters() {
        if (form.equals(Form.NOTHING)) {
            return;
        }
        await("find all masters again", () -> get(form.ready()).body().contains("\"degraded\": false"));
    }

    /** Waits until as many clients wait for a lock. */
    void awaitWaiters(Predicate<Integer> enough) {
        Pattern gauge = Pattern.compile("(?m)^quorumlock_waiters(?:\\{.*})? ([0-9.E]+)");
        await("let all clients wait", () -> {
            Matcher line = gauge.matcher(get("/q/metrics").body());
            return line.find() && enough.test((int) Double.parseDouble(line.group(1)));
        });
    }

    private void await(String what, Check check) {
        long begin = System.nanoTime();
        try {
            while (!check.holds()) {
                if (child.ended(LOOK_EVERY_MS)) {
                    throw new IllegalStateException("the service has ended, its last words: " + child.lastWords());
                }
                if (System.nanoTime() - begin
                        > Duration.ofSeconds(PATIENCE_SECONDS).toNanos()) {
                    throw new IllegalStateException(
                            "the service did not " + what + "; its own words are in " + child.log());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the service did not " + what, e);
        }
    }

    @FunctionalInterface
    private interface Check {
        boolean holds() throws IOException;
    }

    /** Leaves it alone for a while. */
    void rest(int milliseconds) {
        if (child.ended(milliseconds)) {
            throw new IllegalStateException("the service has ended, its last words: " + child.lastWords());
        }
    }

    /** Asks for something that is not measured. */
    HttpAnswer get(String path) throws IOException {
        return ask("GET", path);
    }

    /** Asks for something that is not measured. */
    HttpAnswer ask(String method, String path) throws IOException {
        URL url = new URL("http://127.0.0.1:" + address.getPort() + path);
        HttpURLConnection request = (HttpURLConnection) url.openConnection();
        request.setRequestMethod(method);
        request.setReadTimeout(PATIENCE_SECONDS * 1_000);
        int status = request.getResponseCode();
        try (var body =
                status < HttpURLConnection.HTTP_BAD_REQUEST ? request.getInputStream() : request.getErrorStream()) {
            return new HttpAnswer(status, body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    InetSocketAddress address() {
        return address;
    }

    ProcessHandle handle() {
        return child.handle();
    }

    /** Tells how large it is; what is no service is not of interest. */
    Map<String, Double> facts() {
        return form.equals(Form.NOTHING) ? Map.of() : Map.of("service, resident MiB", memory().residentMebibytes());
    }

    Memory memory() {
        return new Memory(form.java(), child.handle().pid());
    }

    /** Lets it end as an operator would. */
    void end() {
        child.end(PATIENCE_SECONDS);
    }

    @Override
    public void close() {
        child.close();
    }
}
