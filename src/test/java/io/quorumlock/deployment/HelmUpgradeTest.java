// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Upgrades of the Helm chart. They must not change the masters of running replicas. */
@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
class HelmUpgradeTest {
    private static final String EXTERNAL = "masters.enabled=false,externalMasters.";
    private static final String FROM_SECRET = "'valueFrom':{'secretKeyRef':{'name':'old','key':'nodes'}}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fullnameOverride=other",
                "nameOverride=other",
                "masters.replicas=3",
                EXTERNAL + "urls={redis://a,redis://b,redis://c}",
                EXTERNAL + "existingSecret=new"
            })
    void rejectsUpgradeThatChangesMastersOfRunningReplicas(String values) throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("new", "nodes", "redis://a,redis://b,redis://c");
            api.deployments(deployment(1, masters(5)));
            assertUpgradeRejected(api, values);
            api.deployments(deployment(0, masters(5)));
            upgrade(api, values);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "masters.enabled=true",
                EXTERNAL + "urls={redis://a:1,redis://b:1,redis://d:1}",
                EXTERNAL + "existingSecret=new"
            })
    void rejectsUpgradeThatChangesExternalMasters(String values) throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("old", "nodes", "redis://x:secret@a:1,redis://x:secret@b:1,redis://x:secret@c:1");
            api.secret("new", "nodes", "redis://a:1");
            api.deployments(deployment(3, FROM_SECRET));
            assertUpgradeRejected(api, values);
            api.deployments(deployment(0, FROM_SECRET));
            upgrade(api, values);
        }
    }

    @Test
    void upgradeMayChangePasswordsOfExternalMasters() throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("old", "nodes", "redis://x:secret@a:1, redis://x:secret@b:1,redis://x:secret@c:1");
            api.secret("new", "nodes", "redis://y:s@b:1,redis://y:s@a:1,redis://y:s@c:1");
            api.deployments(deployment(3, FROM_SECRET));
            upgrade(api, EXTERNAL + "urls={redis://c:1,redis://b:1,redis://y:s@a:1}");
            upgrade(api, EXTERNAL + "existingSecret=new");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://a,redis://b,redis://c\n",
                "redis://x:secret@a:6379 ,\n redis://b:6379,\tredis://c:6379,",
                "redis://A,redis://B:6379/,redis://x:SECRET@C/"
            })
    void upgradeMayChangeSpellingOfMasters(String nodes) throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("old", "nodes", "redis://a,redis://b:6379,redis://c");
            api.secret("new", "nodes", nodes);
            api.deployments(deployment(3, FROM_SECRET));
            upgrade(api, EXTERNAL + "existingSecret=new");
            assertUpgradeRejected(api, EXTERNAL + "urls={redis://a,redis://b,redis://c:63790}");
        }
    }

    @Test
    void upgradeOfRunningReplicasNeedsSecretOfMasters() throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("old", "nodes", "redis://a,redis://b,redis://c");
            api.deployments(deployment(3, FROM_SECRET));
            String reason = assertUpgradeRejected(api, EXTERNAL + "existingSecret=new");
            assertTrue(reason.contains("secret new has no masters in the key nodes"), reason);
            assertTrue(reason.contains("create it before the upgrade"), reason);
            api.deployments(deployment(0, FROM_SECRET));
            upgrade(api, EXTERNAL + "existingSecret=new");
        }
    }

    /** The chart reads the list only where it writes it. Other tools can have moved it. */
    @Test
    void rejectsUpgradeFromUnknownMasters() throws IOException {
        String elsewhere = "'valueFrom':{'configMapKeyRef':{'name':'old','key':'nodes'}}";
        try (ClusterApi api = new ClusterApi()) {
            api.deployments(deployment(3, elsewhere));
            String reason = assertUpgradeRejected(api, EXTERNAL + "urls={redis://a}");
            assertTrue(reason.contains("from an unknown list to a while"), reason);
            api.deployments(deployment(0, elsewhere));
            upgrade(api, EXTERNAL + "urls={redis://a}");
        }
    }

    @Test
    void upgradeMayChangeListOfServersOfOneStore() throws IOException {
        String values = "masters.enabled=false,engine=etcd,store.servers=";
        try (ClusterApi api = new ClusterApi()) {
            api.deployments(ClusterApi.deployment(
                    "quorumlock", 3, "QUORUMLOCK_ETCD_SERVERS", "'value':'http://a:2379,http://b:2379'"));
            upgrade(api, values + "{http://b:2379,http://c:2379,http://d:2379}");
            assertUpgradeRejected(api, values + "{http://c:2379,http://d:2379}");
            assertUpgradeRejected(api, values.replace("etcd", "zookeeper") + "{http://b:2379}");
        }
    }

    @Test
    void upgradeMayKeepMasters() throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            String other = ClusterApi.deployment("other", 3, masters(1));
            api.deployments(other, deployment(3, masters(5)));
            upgrade(api, "replicas=0,masters.password=new");
        }
    }

    private static String assertUpgradeRejected(ClusterApi api, String values) {
        Shell.Result result = HelmChart.PROJECT.render(arguments(api, values));
        assertFalse(result.succeeded(), result::output);
        assertTrue(result.output().contains("while Deployment quorumlock has replicas"), result::output);
        assertFalse(result.output().contains("@"), result::output);
        return result.output();
    }

    private static void upgrade(ClusterApi api, String values) {
        HelmChart.PROJECT.rendered(arguments(api, values));
    }

    private static String[] arguments(ClusterApi api, String values) {
        Stream<String> set = Stream.of("--set", "security.open=true", "--set", values);
        return Stream.concat(Stream.of(api.upgrade()), set).toArray(String[]::new);
    }

    private static String deployment(int replicas, String nodes) {
        return ClusterApi.deployment("quorumlock", replicas, nodes);
    }

    /** Returns the list of masters of the chart, as its Deployment has it. */
    private static String masters(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "redis://quorumlock:$(MASTERS_PASSWORD)@quorumlock-masters-" + i
                        + ".quorumlock-masters.locks.svc:6379")
                .collect(Collectors.joining(",", "'value':'", "'"));
    }
}
