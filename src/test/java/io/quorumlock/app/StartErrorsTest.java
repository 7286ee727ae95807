// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.ConfigCheck;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Typical mistakes of operators in environment variables, and all that the service prints about them. */
class StartErrorsTest {
    /** Settings, and below them the printed lines. The passwords contain the word canary. */
    private static final Path MISTAKES = Path.of("src/test/resources/settings/mistakes.txt");

    /** The settings without a mistake. */
    private static final Map<String, String> CORRECT =
            Map.of("QUORUMLOCK_NODES", "redis://a", "QUARKUS_HTTP_HOST", "127.0.0.1", "QUARKUS_HTTP_PORT", "0");

    @TempDir
    Path folder;

    static Stream<String> mistakes() throws IOException {
        return Stream.of(Files.readString(MISTAKES).split("\n\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrongAndWhatToWrite(String mistake) throws IOException {
        Files.writeString(folder.resolve("text.pem"), "not a certificate");
        Files.writeString(folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\n");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            List<String> lines = mistake.replace("FOLDER", folder.toString())
                    .replace("TAKEN", String.valueOf(other.getLocalPort()))
                    .lines()
                    .toList();
            Map<String, String> environment = new HashMap<>(CORRECT);
            lines.stream()
                    .filter(line -> !line.startsWith(" "))
                    .map(line -> line.split("=", 2))
                    .forEach(setting -> environment.put(setting[0], setting[1]));
            String expected = lines.stream()
                    .filter(line -> line.startsWith(" "))
                    .map(String::strip)
                    .collect(Collectors.joining("\n"));
            assertEquals(expected, printed(environment));
            assertFalse(expected.contains("canary"));
        }
    }

    @Test
    void acceptsCorrectSettings() {
        assertEquals("", printed(CORRECT));
    }

    /** The messages of the framework for a port in use, certificates that cannot be read, collectors without scheme, and missing values. */
    @Test
    void explainsFailuresOfExtensions() {
        assertExplained(
                "QUARKUS_TLS__SERVICE__*: invalid key/certificate pair (Unable to read file none.pem); write the paths of PEM"
                        + " files",
                new IllegalStateException(
                        "Invalid key/certificate pair configuration for certificate 'service' - cannot read the key/certificate"
                                + " files",
                        new IOException("Unable to read file none.pem")));
        assertExplained(
                "QUARKUS_HTTP_PORT: another process uses the port; write a free one",
                new IOException("bind(..) failed with error(-98): Address already in use"));
        assertExplained(
                "OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317: no http:// or https://; write http://collector:4317",
                new IllegalArgumentException("Invalid endpoint, must start with http:// or https://: collector:4317"));
        assertExplained(
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__KEY: not set; write a value",
                problem(
                        "SRCFG00014: The config property quarkus.tls.\"service\".key-store.pem.\"0\".key is required but it"
                                + " could not be found in any config source"));
        assertExplained(
                "quorumlock.security.key-file: unknown; write quorumlock.security.keys-file, or a name of docs/configuration.md",
                problem("SRCFG00050: quorumlock.security.key-file in SysPropConfigSource does not map to any root"));
    }

    /** The message of the JVM when a shutdown hook is added then. */
    @Test
    void recognizesEndOfStartBySignal() {
        assertTrue(StartErrors.isTermination(
                new ConfigurationException("no masters", new IllegalStateException("Shutdown in progress"))));
        assertFalse(StartErrors.isTermination(new ConfigurationException("no masters")));
    }

    private static void assertExplained(String line, Exception failure) {
        assertEquals(Optional.of(line), StartErrors.explain(new RuntimeException("Failed to start quarkus", failure)));
    }

    private static ConfigValidationException problem(String message) {
        return new ConfigValidationException(
                new ConfigValidationException.Problem[] {new ConfigValidationException.Problem(message)});
    }

    @Test
    void explainsNoOtherFailures() {
        assertEquals(Optional.empty(), StartErrors.explain(new IllegalStateException("a bug")));
    }

    private static String printed(Map<String, String> environment) {
        try {
            SmallRyeConfig all = new SmallRyeConfigBuilder()
                    .withMapping(QuorumlockConfig.class)
                    .withSources(new EnvConfigSource(environment, 300))
                    .build();
            QuorumlockConfig config = all.getConfigMapping(QuorumlockConfig.class);
            Mistakes.runAll(() -> ConfigCheck.checkAll(config, all, environment.keySet()), () -> PortCheck.check(all));
            return "";
        } catch (ConfigValidationException | ConfigurationException wrong) {
            return StartErrors.explain(wrong).orElseThrow();
        }
    }
}
