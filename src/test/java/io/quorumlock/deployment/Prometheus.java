// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real Prometheus that scrapes one replica every second. */
final class Prometheus implements AutoCloseable {
    private static final String CONFIGURATION =
            """
            global:
              scrape_interval: 1s
            scrape_configs:
              - job_name: quorumlock
                metrics_path: /q/metrics
                static_configs:
                  - targets: ["%s"]
            """;

    private final URI uri = URI.create("http://127.0.0.1:" + FreePorts.find(1).get(0));
    private final Process process;

    /** @param folder folder for configuration, data and log */
    Prometheus(URI replica, Path folder) {
        try {
            Path file = Files.writeString(
                    folder.resolve("prometheus.yml"), CONFIGURATION.formatted(replica.getAuthority()));
            process = new ProcessBuilder(
                            "prometheus",
                            "--config.file=" + file,
                            "--storage.tsdb.path=" + folder.resolve("data"),
                            "--web.listen-address=" + uri.getAuthority())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("prometheus.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the query returns at least one number now. */
    boolean answers(Query query) {
        String text = query.text()
                .replace("$__rate_interval", "10s")
                .replace("$job", ".*")
                .replace("$instance", ".*");
        String path = "/api/v1/query?query=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
        try {
            JsonNode found = new LockClient(uri).get(path).body().at("/data/result");
            return found.findValues("value").stream()
                    .anyMatch(value -> !value.path(1).asText().equals("NaN"));
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
