// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.StreamClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Clients cannot write lines of their own into the access log. With HTTP/2 a path may contain line breaks. */
class AccessLogIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Has everything that the named patterns have, such as {@code combined}, and more. */
    private static final String PATTERN = "%h %m %R %s %b \"%r\" %U %q %{i,user-agent} %{i,referer}";

    @Test
    void escapesWhatClientsChoose() {
        List<RedisServer> masters = RedisServers.start(1);
        String name = UUID.randomUUID().toString();
        try (ServiceProcess service = ServiceProcess.on(
                        masters,
                        "-Dquarkus.http.access-log.enabled=true",
                        "-Dquarkus.http.access-log.pattern=" + PATTERN);
                StreamClient client = new StreamClient(service.uri(), 1, 65_535)) {
            client.open(HttpMethod.GET, "/locks/" + name + "\n127.0.0.1 forged\u001b[31m")
                    .compose(HttpClientRequest::send)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            Eventually.within(SOON, service::output, () -> service.output().contains(name));
            List<String> lines = service.output()
                    .lines()
                    .filter(line -> line.contains(name) || line.contains("forged"))
                    .toList();
            assertEquals(1, lines.size(), lines::toString);
            assertTrue(lines.get(0).contains("\\u000a127.0.0.1 forged\\u001b[31m"), lines::toString);
        } finally {
            RedisServers.close(masters);
        }
    }
}
