// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.Mistakes;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortCheckTest {

    @ParameterizedTest
    @CsvSource({
        "quarkus.http.port,     enabled,  QUARKUS_HTTP_PORT",
        "quarkus.http.ssl-port, disabled, QUARKUS_HTTP_SSL_PORT"
    })
    void rejectsPortInUse(String key, String plain, String variable) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SmallRyeConfig config = config(key, String.valueOf(other.getLocalPort()), plain);
            Mistakes mistakes = new Mistakes();
            PortCheck.check(config, mistakes);
            String message = assertThrows(ConfigurationException.class, mistakes::throwIfAny)
                    .getMessage();
            assertEquals(
                    variable + "=" + other.getLocalPort()
                            + ": cannot listen on 127.0.0.1 (Address already in use); write a free port",
                    message);
        }
    }

    @Test
    void acceptsFreePort() {
        Mistakes mistakes = new Mistakes();
        PortCheck.check(config("quarkus.http.port", "0", "enabled"), mistakes);
        assertDoesNotThrow(mistakes::throwIfAny);
    }

    private static SmallRyeConfig config(String key, String port, String plain) {
        return new SmallRyeConfigBuilder()
                .withDefaultValue("quarkus.http.port", "0")
                .withDefaultValue("quarkus.http.tls-configuration-name", "service")
                .withDefaultValue("quarkus.http.ssl-port", "0")
                .withDefaultValue(key, port)
                .withDefaultValue("quarkus.http.host", "127.0.0.1")
                .withDefaultValue("quarkus.http.insecure-requests", plain)
                .build();
    }
}
