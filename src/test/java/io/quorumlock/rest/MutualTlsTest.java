// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.TlsClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Both sides show a certificate, and the service takes new ones while it runs. */
@QuarkusTest
@TestProfile(MutualTlsProfile.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MutualTlsTest {
    @TestHTTPResource(value = "/nodes", tls = true)
    URI nodes;

    @ConfigProperty(name = MutualTlsProfile.FOLDER)
    Path folder;

    @TempDir
    Path elsewhere;

    @Test
    @Order(1)
    void servesClientWithTrustedCertificate() {
        assertEquals(Optional.of(200), new TlsClient(server(), Optional.of(client())).get(nodes));
    }

    @Test
    @Order(2)
    void rejectsMissingOrUnknownCertificate() {
        Certificate stranger = Certificate.of("client", elsewhere);
        assertEquals(Optional.empty(), new TlsClient(server(), Optional.empty()).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(server(), Optional.of(stranger)).get(nodes));
    }

    @Test
    @Order(3)
    void rejectsPlainHttp() {
        URI plain = URI.create("http://localhost:" + nodes.getPort() + "/nodes");
        assertEquals(Optional.empty(), new TlsClient(server(), Optional.of(client())).get(plain));
    }

    @Test
    @Order(4)
    void reloadsValidCertificatesOnly() throws IOException {
        Files.writeString(folder.resolve("tls.crt"), "broken");
        Certificate renewed = Certificate.of("localhost", elsewhere);
        Certificate clients = Certificate.of("client", elsewhere);
        assertEquals(Optional.of(200), new TlsClient(server(), Optional.of(client())).get(nodes));
        renewed.writeKey(folder.resolve("tls.key"));
        Files.copy(renewed.pem(), folder.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(clients.pem(), folder.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        Eventually.within(
                Duration.ofSeconds(30),
                "the new certificates are taken",
                () -> new TlsClient(renewed, Optional.of(clients)).get(nodes).equals(Optional.of(200)));
        assertEquals(Optional.empty(), new TlsClient(server(), Optional.of(clients)).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(renewed, Optional.of(client())).get(nodes));
    }

    private Certificate server() {
        return certificate("localhost");
    }

    private Certificate client() {
        return certificate("client");
    }

    private Certificate certificate(String name) {
        return new Certificate(folder.resolve(name + ".p12"), folder.resolve(name + ".pem"));
    }
}
