// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TlsClient;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service with the settings that docs/security.md shows: both sides show a certificate, and the service takes
 * new ones while it runs.
 */
@Tag("nightly")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MutualTlsIT {
    private static final String DOCUMENTED = "/etc/quorumlock/tls";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```properties\\n(.*?)^```$");

    @TempDir
    private static Path folder;

    @TempDir
    private static Path elsewhere;

    private static Certificate server;
    private static Certificate client;
    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static URI nodes;

    @BeforeAll
    static void start() throws IOException {
        server = Certificate.of("localhost", folder);
        client = Certificate.of("client", folder);
        Files.copy(server.pem(), folder.resolve("tls.crt"));
        server.writeKey(folder.resolve("tls.key"));
        Files.copy(client.pem(), folder.resolve("ca.crt"));
        masters = RedisServers.start(1);
        Properties settings = documented();
        settings.setProperty("quarkus.tls.service.reload-period", "1s");
        // Last, because another process may take a free port.
        int port = FreePorts.find(1).get(0);
        settings.setProperty("quarkus.http.ssl-port", String.valueOf(port));
        nodes = URI.create("https://localhost:" + port + "/nodes");
        service = ServiceProcess.start(
                Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters)),
                settings.stringPropertyNames().stream()
                        .map(key -> "-D" + key + "=" + settings.getProperty(key))
                        .toArray(String[]::new));
        TlsClient known = new TlsClient(server, Optional.of(client));
        Eventually.within(
                Duration.ofSeconds(60), service::output, () -> known.get(nodes).equals(Optional.of(200)));
    }

    private static Properties documented() throws IOException {
        Properties settings = new Properties();
        String text = Files.readString(Path.of("docs/security.md")).replace(DOCUMENTED, folder.toString());
        for (MatchResult block : BLOCK.matcher(text).results().toList()) {
            settings.load(new StringReader(block.group(1)));
        }
        return settings;
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    @Test
    @Order(1)
    void servesClientWithTrustedCertificate() {
        assertEquals(Optional.of(200), new TlsClient(server, Optional.of(client)).get(nodes));
    }

    @Test
    @Order(2)
    void rejectsMissingOrUnknownCertificate() {
        Certificate stranger = Certificate.of("client", elsewhere);
        assertEquals(Optional.empty(), new TlsClient(server, Optional.empty()).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(server, Optional.of(stranger)).get(nodes));
    }

    @Test
    @Order(3)
    void rejectsPlainHttp() {
        for (int port : new int[] {nodes.getPort(), service.uri().getPort()}) {
            URI plain = URI.create("http://localhost:" + port + "/nodes");
            assertEquals(Optional.empty(), new TlsClient(server, Optional.of(client)).get(plain));
        }
    }

    @Test
    @Order(4)
    void reloadsValidCertificatesOnly(@TempDir Path later) throws IOException {
        Files.writeString(folder.resolve("tls.crt"), "broken");
        Certificate renewed = Certificate.of("localhost", later);
        Certificate clients = Certificate.of("client", later);
        assertEquals(Optional.of(200), new TlsClient(server, Optional.of(client)).get(nodes));
        renewed.writeKey(folder.resolve("tls.key"));
        Files.copy(renewed.pem(), folder.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(clients.pem(), folder.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        Eventually.holds(
                "the new certificates are taken",
                () -> new TlsClient(renewed, Optional.of(clients)).get(nodes).equals(Optional.of(200)));
        assertEquals(Optional.empty(), new TlsClient(server, Optional.of(clients)).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(renewed, Optional.of(client)).get(nodes));
    }
}
