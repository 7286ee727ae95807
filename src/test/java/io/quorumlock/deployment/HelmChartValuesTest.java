// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of the Helm chart that fit it to a cluster, and the objects that have them. */
@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
class HelmChartValuesTest {
    private static final JsonNode VALUES =
            Monitoring.yaml(HelmChart.PROJECT.folder().resolve("ci/all-values.yaml"));
    private static final String POD = "/spec/template/spec";

    /** The values of ci/all-values.yaml, and where the chart must have them: kind and pointer. */
    private static final List<String> TARGETS = List.of(
            "/nameOverride Deployment /metadata/name",
            "/image/digest Deployment " + POD + "/containers/0/image",
            "/image/digest Pod /spec/containers/0/image",
            "/autoscaling/minReplicas HorizontalPodAutoscaler /spec/minReplicas",
            "/autoscaling/maxReplicas HorizontalPodAutoscaler /spec/maxReplicas",
            "/autoscaling/targetCPUUtilizationPercentage HorizontalPodAutoscaler"
                    + " /spec/metrics/0/resource/target/averageUtilization",
            "/podAnnotations Deployment /spec/template/metadata/annotations",
            "/podLabels Deployment /spec/template/metadata/labels",
            "/nodeSelector Deployment " + POD + "/nodeSelector",
            "/nodeSelector Pod /spec/nodeSelector",
            "/tolerations Deployment " + POD + "/tolerations",
            "/tolerations Pod /spec/tolerations",
            "/affinity Deployment " + POD + "/affinity",
            "/serviceAccount/name ServiceAccount /metadata/name",
            "/serviceAccount/name Deployment " + POD + "/serviceAccountName",
            "/serviceAccount/annotations ServiceAccount /metadata/annotations",
            "/extraEnv Deployment " + POD + "/containers/0/env",
            "/extraVolumes Deployment " + POD + "/volumes",
            "/extraVolumeMounts Deployment " + POD + "/containers/0/volumeMounts",
            "/service/type Service /spec/type",
            "/service/annotations Service /metadata/annotations",
            "/ingress/className Ingress /spec/ingressClassName",
            "/ingress/annotations Ingress /metadata/annotations",
            "/ingress/hosts/0/host Ingress /spec/rules/0/host",
            "/ingress/hosts/0/paths/0 Ingress /spec/rules/0/http/paths/0",
            "/ingress/hosts/0/paths/1 Ingress /spec/rules/0/http/paths/1",
            "/ingress/tls Ingress /spec/tls",
            "/tls/existingSecret Deployment " + POD + "/volumes/1/secret/secretName",
            "/masters/image/digest StatefulSet " + POD + "/containers/0/image",
            "/masters/podAnnotations StatefulSet /spec/template/metadata/annotations",
            "/masters/podLabels StatefulSet /spec/template/metadata/labels",
            "/masters/nodeSelector StatefulSet " + POD + "/nodeSelector",
            "/masters/tolerations StatefulSet " + POD + "/tolerations",
            "/masters/affinity StatefulSet " + POD + "/affinity",
            "/masters/serviceAccount/name ServiceAccount /metadata/name",
            "/masters/serviceAccount/name StatefulSet " + POD + "/serviceAccountName",
            "/masters/serviceAccount/annotations ServiceAccount /metadata/annotations");

    private static Manifests example;

    /** Not in a static initializer, because without helm the tests are skipped. */
    @BeforeAll
    static void render() {
        example = HelmChart.PROJECT.rendered(HelmChart.values("all"));
    }

    static Stream<String> targets() {
        return TARGETS.stream();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void objectHasValue(String target) {
        String[] words = target.split(" ");
        String component = words[0].startsWith("/masters/") ? "quorumlock-masters" : "quorumlock";
        JsonNode value = VALUES.at(words[0]);
        JsonNode actual = example.all(words[1]).stream()
                .filter(manifest -> words[1].equals("Pod")
                        || component.equals(manifest.content()
                                .at("/metadata/labels/app.kubernetes.io~1name")
                                .asText()))
                .findFirst()
                .orElseThrow()
                .content()
                .at(words[2]);
        assertTrue(has(actual, value), () -> value + " is not in " + actual);
    }

    /** Names of objects and images end with the value. */
    private static boolean has(JsonNode actual, JsonNode value) {
        if (value.isArray()) {
            return !value.isEmpty()
                    && Manifest.items(value).allMatch(Manifest.items(actual).toList()::contains);
        }
        return value.isObject()
                ? actual.properties().containsAll(value.properties())
                : !value.isMissingNode() && actual.asText().endsWith(value.asText());
    }

    @Test
    void everyValueHasTarget() {
        List<String> missing = leaves("", VALUES)
                .filter(leaf -> !leaf.matches(".*/(create|enabled|open)"))
                .filter(leaf -> targets().noneMatch(target -> leaf.startsWith(target.split(" ")[0])))
                .toList();
        assertEquals(List.of(), missing);
    }

    private static Stream<String> leaves(String at, JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream().flatMap(field -> leaves(at + "/" + field.getKey(), field.getValue()));
        }
        return node.isArray() && !node.isEmpty() ? leaves(at + "/0", node.get(0)) : Stream.of(at);
    }

    @Test
    void affinityOfMastersReplacesBuiltIn() {
        JsonNode pod = example.all("StatefulSet").get(0).podSpec();
        assertEquals(VALUES.at("/masters/affinity"), pod.path("affinity"));
    }

    @Test
    void digestReplacesTag() {
        String digest = VALUES.at("/image/digest").asText();
        Manifests manifests = open("image.tag=a,masters.image.tag=b,image.digest=" + digest);
        assertEquals(
                "quorumlock@" + digest,
                manifests
                        .all("Deployment")
                        .get(0)
                        .containers()
                        .get(0)
                        .path("image")
                        .asText());
        assertEquals(
                "redis:b",
                manifests
                        .all("StatefulSet")
                        .get(0)
                        .containers()
                        .get(0)
                        .path("image")
                        .asText());
    }

    @ParameterizedTest
    @CsvSource({"false, http", "true, https"})
    void ingressUsesPortOfClients(boolean tls, String port) {
        String secret = tls ? ",tls.enabled=true,tls.existingSecret=x" : "";
        JsonNode backend = open("ingress.enabled=true,ingress.hosts[0].host=a,ingress.hosts[0].paths[0].path=/"
                        + secret)
                .all("Ingress")
                .get(0)
                .content()
                .at("/spec/rules/0/http/paths/0/backend/service");
        assertEquals("quorumlock", backend.path("name").asText());
        assertEquals(port, backend.at("/port/name").asText());
    }

    @Test
    void autoscalerSetsReplicasUnlessTheyAreStopped() {
        assertTrue(
                example.all("Deployment").get(0).content().at("/spec/replicas").isMissingNode());
        assertEquals(
                example.all("Deployment").get(0).name(),
                example.all("HorizontalPodAutoscaler")
                        .get(0)
                        .content()
                        .at("/spec/scaleTargetRef/name")
                        .asText());
        Manifests stopped = open("autoscaling.enabled=true,replicas=0");
        assertEquals(
                0,
                stopped.all("Deployment").get(0).content().at("/spec/replicas").asInt(-1));
        assertEquals(List.of(), stopped.all("HorizontalPodAutoscaler"));
    }

    @ParameterizedTest
    @CsvSource({"Deployment, serviceAccount", "StatefulSet, masters.serviceAccount"})
    void existingServiceAccountIsUsed(String kind, String group) {
        String without = group + ".create=false";
        Map.of(without, "default", without + "," + group + ".name=mine", "mine").forEach((set, account) -> {
            Manifests manifests = open(set);
            assertEquals(
                    account,
                    manifests
                            .all(kind)
                            .get(0)
                            .podSpec()
                            .path("serviceAccountName")
                            .asText());
            assertEquals(1, manifests.all("ServiceAccount").size());
        });
    }

    @ParameterizedTest
    @MethodSource("io.quorumlock.deployment.HelmChart#examples")
    void networkPolicyAdmitsTestPod(String example) {
        Manifests manifests = HelmChart.PROJECT.rendered(HelmChart.values(example));
        Map<String, String> labels =
                Manifest.texts(manifests.all("Pod").get(0).content().at("/metadata/labels"));
        Manifest policy = manifests.all("NetworkPolicy").get(0);
        Map<String, String> admitted =
                Manifest.texts(policy.content().at("/spec/ingress/0/from/0/podSelector/matchLabels"));
        assertTrue(labels.entrySet().containsAll(admitted.entrySet()), labels::toString);
        manifests
                .all("NetworkPolicy")
                .forEach(other -> assertFalse(labels.entrySet()
                        .containsAll(Manifest.texts(other.content().at("/spec/podSelector/matchLabels"))
                                .entrySet())));
    }

    /** Rules check templates of pods, so the pod becomes one. */
    @Test
    void testPodIsRestricted() {
        JsonNode pod = example.all("Pod").get(0).content();
        Manifests template = new Manifests(Map.of("pod.yaml", "{\"spec\":{\"template\":" + pod + "}}"));
        assertEquals(1, template.all().get(0).containers().size());
        assertEquals(List.of(), ManifestRule.PODS_ARE_RESTRICTED.breachesOf(template));
    }

    @ParameterizedTest
    @CsvSource({"200, true", "503, false"})
    void testPodExpectsReadiness(int status, boolean succeeds) throws IOException {
        List<String> command = command(open("replicas=1"));
        assertEquals(List.of("quorumlock", "80"), command.subList(3, 5));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean readiness = exchange.getRequestURI().getPath().equals("/q/health/ready");
            exchange.sendResponseHeaders(readiness ? status : 404, -1);
            exchange.close();
        });
        server.start();
        try {
            assertEquals(succeeds, run(command, server.getAddress().getPort()).succeeded());
        } finally {
            server.stop(0);
        }
        assertFalse(run(command, server.getAddress().getPort()).succeeded());
    }

    /** Bash has no TLS, so the connection itself is the test. */
    @Test
    void testPodConnectsToPortWithTls() {
        assertEquals(
                List.of("quorumlock", "443"),
                command(open("tls.enabled=true,tls.existingSecret=x")).subList(3, 5));
    }

    private static Shell.Result run(List<String> command, int port) {
        String[] local = Stream.concat(command.subList(0, 3).stream(), Stream.of("127.0.0.1", String.valueOf(port)))
                .toArray(String[]::new);
        return new Shell(Path.of(""), Map.of()).run(Duration.ofSeconds(30), local);
    }

    private static List<String> command(Manifests manifests) {
        JsonNode container = manifests.all("Pod").get(0).content().at("/spec/containers/0/command");
        return Manifest.items(container).map(JsonNode::asText).toList();
    }

    private static Manifests open(String values) {
        return HelmChart.PROJECT.rendered("--set", "security.open=true", "--set", values);
    }
}
