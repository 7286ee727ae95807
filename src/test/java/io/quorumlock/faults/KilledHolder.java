// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A client process that acquires a lock, prints its lease, and is killed.
 *
 * <p>Arguments: the URL of the service, the resource, the TTL in milliseconds.
 */
final class KilledHolder {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private KilledHolder() {}

    public static void main(String[] arguments) throws IOException {
        LockClient service = new LockClient(URI.create(arguments[0]));
        // Masters can be slow at the start of the service.
        Eventually.within(PATIENCE, "granted", () -> {
            LockClient.Answer lease = service.acquire(arguments[1], Integer.parseInt(arguments[2]));
            if (lease.status() == 201) {
                System.out.println(lease.body());
            }
            return lease.status() == 201;
        });
        // Returns when the parent process is gone.
        System.in.read();
    }

    /** Starts a holder, kills it after the acquire, and returns its lease. */
    static JsonNode hold(URI service, String resource, int ttlMs) {
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                KilledHolder.class.getName(),
                service.toString(),
                resource,
                Integer.toString(ttlMs));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = process.inputReader()) {
                return new ObjectMapper().readTree(String.valueOf(said.readLine()));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
