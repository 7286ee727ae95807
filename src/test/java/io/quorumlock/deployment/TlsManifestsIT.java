// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TlsClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service with the variables of the components for TLS and client certificates. */
class TlsManifestsIT {
    private static final Manifests MANIFESTS = Manifests.below(Path.of("deploy/kubernetes"));

    @TempDir
    private Path folder;

    @Test
    void servesLocksWithCertificateAndProbesWithout() throws IOException {
        Certificate server = Certificate.of("localhost", folder);
        Certificate client = Certificate.of("client", folder);
        Files.copy(server.pem(), folder.resolve("tls.crt"));
        server.writeKey(folder.resolve("tls.key"));
        Files.copy(client.pem(), folder.resolve("ca.crt"));
        List<RedisServer> masters = RedisServers.start(1);
        TlsClient withCertificate = new TlsClient(server, Optional.of(client));
        Map<String, String> environment = new TreeMap<>();
        environment.put("QUORUMLOCK_NODES", masters.get(0).url().toString());
        environment.putAll(variables("tls/deployment.yaml"));
        environment.putAll(variables("client-certificates/deployment.yaml"));
        // Last, because another process may take a free port.
        int port = FreePorts.find(1).get(0);
        environment.put("QUARKUS_HTTP_SSL_PORT", String.valueOf(port));
        URI nodes = URI.create("https://localhost:" + port + "/nodes");
        try (ServiceProcess service = ServiceProcess.startReady(environment)) {
            // The first request once the probe succeeds: by then the port with TLS must be open, too.
            assertEquals(Optional.of(200), withCertificate.get(nodes), service::output);
            assertEquals(Optional.empty(), new TlsClient(server, Optional.empty()).get(nodes));
            assertEquals(200, service.client().get("/q/health/live").status());
            assertEquals(404, service.client().get("/nodes").status());
        } finally {
            RedisServers.close(masters);
        }
    }

    private Map<String, String> variables(String file) {
        Map<String, String> variables = new TreeMap<>();
        MANIFESTS.all().stream()
                .filter(manifest -> manifest.file().equals(file))
                .flatMap(manifest -> manifest.containers().stream())
                .flatMap(container -> Manifest.items(container.path("env")))
                .forEach(variable -> variables.put(
                        variable.path("name").asText(),
                        variable.path("value").asText().replace("/etc/quorumlock-tls", folder.toString())));
        return variables;
    }
}
