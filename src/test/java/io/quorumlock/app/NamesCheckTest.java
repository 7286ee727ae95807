// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.EngineKind;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.NamesCheck;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

class NamesCheckTest {

    @Test
    void knowsEverySetting() {
        assertTrue(Features.NAMES
                .known()
                .containsAll(List.of("QUORUMLOCK_NODES", "QUORUMLOCK_LOCK_PREFIX", "QUORUMLOCK_WAIT_MAX")));
        assertEquals(List.of(), Features.NAMES.unknown(Features.NAMES.known()).toList());
        assertEquals(
                List.of(),
                Features.NAMES.unknown(List.of("QUORUMLOCK_NODES_0_")).toList());
    }

    @Test
    void proposesSettingThatDiffersInSeparators() {
        assertEquals(
                List.of("QUORUMLOCK_WAITMAX: unknown; write QUORUMLOCK_WAIT_MAX, or remove it"),
                Features.NAMES.unknown(List.of("QUORUMLOCK_WAITMAX")).toList());
    }

    @Test
    void ignoresTheServiceVariablesOfKubernetes() {
        assertEquals(
                List.of(),
                Features.NAMES
                        .unknown(List.of(
                                "QUORUMLOCK_SERVICE_HOST",
                                "QUORUMLOCK_SERVICE_PORT_HTTP",
                                "QUORUMLOCK_PORT",
                                "QUORUMLOCK_PORT_8080_TCP_ADDR",
                                "QUORUMLOCK_MASTERS_SERVICE_HOST",
                                "QUORUMLOCK_MASTERS_PORT_6379_TCP"))
                        .toList());
    }

    @Test
    void warnsOfVariablesOfClients() {
        Set<String> environment = Set.of("QUORUMLOCK_URL", "QUORUMLOCK_KEY", "QUORUMLOCK_KEY_FILE", "QUORUMLOCK_NODES");
        assertEquals(List.of(), Features.NAMES.unknown(environment).toList());
        assertEquals(
                List.of(
                        "QUORUMLOCK_KEY: read by clients only, without effect on the service",
                        "QUORUMLOCK_KEY_FILE: read by clients only, without effect on the service",
                        "QUORUMLOCK_URL: read by clients only, without effect on the service"),
                NamesCheck.ofClients(environment).toList());
    }

    @Test
    void refusesSettingsOfOtherEngines() {
        Map<String, String> all = Features.NAMES.known().stream().collect(Collectors.toMap(name -> name, name -> "1"));
        assertEquals(
                List.of(
                        "QUORUMLOCK_CLUSTER_DATA",
                        "QUORUMLOCK_CLUSTER_FOUNDED",
                        "QUORUMLOCK_CLUSTER_MEMBERS",
                        "QUORUMLOCK_CLUSTER_SELF",
                        "QUORUMLOCK_FENCE_PREFIX",
                        "QUORUMLOCK_LOCK_PREFIX",
                        "QUORUMLOCK_MASTERS_PERSIST",
                        "QUORUMLOCK_NODE_CA_FILE",
                        "QUORUMLOCK_NODE_CONNECT_TIMEOUT",
                        "QUORUMLOCK_NODE_TIMEOUT",
                        "QUORUMLOCK_NODES",
                        "QUORUMLOCK_RESTART_GUARD_ENABLED"),
                refusedWith(EngineKind.ETCD, all)
                        .filter(name -> !name.startsWith("QUORUMLOCK_ZOOKEEPER_"))
                        .toList());
        assertEquals(
                Features.NAMES.known().stream()
                        .filter(name -> name.matches("QUORUMLOCK_(CLUSTER|ZOOKEEPER|ETCD)_.*"))
                        .sorted()
                        .toList(),
                refusedWith(EngineKind.REDLOCK, all).sorted().toList());
    }

    @Test
    void refusesNodesWithIndex() {
        assertEquals(
                List.of("QUORUMLOCK_NODES"),
                refusedWith(EngineKind.ZOOKEEPER, Map.of("QUORUMLOCK_NODES_0_", "redis://a"))
                        .toList());
    }

    /** An unset variable of a template. */
    @Test
    void ignoresEmptySettingsOfOtherEngines() {
        assertEquals(
                List.of(),
                refusedWith(EngineKind.ETCD, Map.of("QUORUMLOCK_NODES", "")).toList());
    }

    /** Development mode has defaults for masters, which nobody set. */
    @Test
    void ignoresDefaultsOfTheProgram() {
        Config config = new SmallRyeConfigBuilder()
                .withMapping(QuorumlockConfig.class)
                .withSources(new PropertiesConfigSource(Map.of("quorumlock.node.timeout", "250ms"), "jar", 250))
                .build();
        Mistakes mistakes = new Mistakes();
        Features.NAMES.checkEngine(EngineKind.ETCD, config, mistakes);
        assertDoesNotThrow(mistakes::throwIfAny);
    }

    private static Stream<String> refusedWith(EngineKind engine, Map<String, String> environment) {
        Config config = new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(environment, 300))
                .build();
        Mistakes mistakes = new Mistakes();
        Features.NAMES.checkEngine(engine, config, mistakes);
        try {
            mistakes.throwIfAny();
            return Stream.empty();
        } catch (ConfigurationException refused) {
            return refused.getMessage().lines().map(line -> line.replaceFirst(": not .*", ""));
        }
    }
}
