// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.testing.Proves;
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
@Proves("R2")
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

    /** The messages of the framework for missing values and misspelt properties. */
    @Test
    void explainsProblemsOfFramework() {
        assertExplained(
                "QUARKUS_TLS__SERVICE__KEY_STORE_PEM__0__KEY: not set; write a value",
                "SRCFG00014: The config property quarkus.tls.\"service\".key-store.pem.\"0\".key is required but it"
                        + " could not be found in any config source");
        assertExplained(
                "quorumlock.security.key-file: unknown; write quorumlock.security.keys-file, or remove it",
                "SRCFG00050: quorumlock.security.key-file in SysPropConfigSource does not map to any root");
    }

    private static void assertExplained(String line, String problem) {
        Exception wrong = new ConfigValidationException(
                new ConfigValidationException.Problem[] {new ConfigValidationException.Problem(problem)});
        assertEquals(
                Optional.of(line), StartErrors.wrongSettings(new RuntimeException("Failed to start quarkus", wrong)));
    }

    /** For example certificates that cannot be read, or a collector without a scheme. */
    @Test
    void printsCausesOfOtherFailuresInOneLine() {
        Exception failure = new RuntimeException(
                "Failed to start quarkus",
                new IllegalStateException(
                        "Invalid key/certificate pair configuration for certificate 'service'",
                        new RuntimeException(new IOException("Unable to read file /none.pem"))));
        assertEquals(Optional.empty(), StartErrors.wrongSettings(failure));
        assertEquals(
                "the start failed: Failed to start quarkus: Invalid key/certificate pair configuration for certificate"
                        + " 'service': java.io.IOException: Unable to read file /none.pem; see"
                        + " QUARKUS_TLS__WEB__KEY_STORE_PEM__0__CERT; QUARKUS_LOG_LEVEL=DEBUG shows where",
                StartErrors.messages(failure, Map.of("QUARKUS_TLS__WEB__KEY_STORE_PEM__0__CERT", "/none.pem")));
    }

    /** The message of the JVM when a shutdown hook is added then. */
    @Test
    void recognizesEndOfStartBySignal() {
        assertTrue(StartErrors.isTermination(
                new ConfigurationException("no masters", new IllegalStateException("Shutdown in progress"))));
        assertFalse(StartErrors.isTermination(new ConfigurationException("no masters")));
    }

    private static String printed(Map<String, String> environment) {
        try {
            SmallRyeConfigBuilder settings = new SmallRyeConfigBuilder()
                    .addDefaultInterceptors()
                    .withSources(new EnvConfigSource(environment, 300));
            Features.mappings().forEach(settings::withMapping);
            SmallRyeConfig all = settings.build();
            QuorumlockConfig config = all.getConfigMapping(QuorumlockConfig.class);
            Mistakes mistakes = new Mistakes();
            CheckedSettings.check(config, all, environment.keySet(), mistakes);
            PortCheck.check(all, mistakes);
            mistakes.throwIfAny();
            return "";
        } catch (ConfigValidationException | ConfigurationException wrong) {
            return StartErrors.wrongSettings(wrong).orElseThrow();
        }
    }
}
