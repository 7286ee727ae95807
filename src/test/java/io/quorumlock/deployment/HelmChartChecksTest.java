// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of the Helm chart that are rejected or converted. */
@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
class HelmChartChecksTest {
    private static final String EXTERNAL = "masters.enabled=false,externalMasters.";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "security.open=false | set security.keys or security.existingSecret",
                "security.open=yes | at '/security/open'",
                "security.opn=true | additional properties 'opn' not allowed",
                "replicas=-1 | at '/replicas'",
                "masters.replicas=4 | masters.replicas must be an odd number",
                "masters.password=a@b | at '/masters/password'",
                "masters.updateStrategy=Parallel | at '/masters/updateStrategy'",
                "resources.requests.cpu=null | missing property 'cpu'",
                "masters.enabled=false | needs externalMasters.urls",
                "engine=paxos | at '/engine'",
                "engine=etcd | engine=etcd uses no masters: set masters.enabled=false",
                "engine=zookeeper,masters.enabled=false | engine=zookeeper needs store.servers",
                "store.servers={a:2181} | store.servers needs engine=zookeeper",
                "externalMasters.existingSecret=x | externalMasters.existingSecret needs masters.enabled=false",
                "externalMasters.authorities=-----BEGIN A | externalMasters.authorities needs masters.enabled=false",
                EXTERNAL + "urls={redis://a,redis://b} | externalMasters.urls must be an odd number",
                EXTERNAL
                        + "urls={redis://a},masters.existingSecret=x | masters.existingSecret needs masters.enabled=true",
                EXTERNAL + "urls={redis://a},masters.password=x | masters.password needs masters.enabled=true",
                EXTERNAL + "urls={redis://a},masters.secondPassword=x | masters.secondPassword needs masters.enabled",
                "tls.enabled=true | needs tls.existingSecret, or tls.certificate",
                "tls.clientCertificatesRequired=true | tls.clientCertificatesRequired needs tls.enabled",
                "tls.existingSecret=x | tls.existingSecret needs tls.enabled",
                "tls.certificate=-----BEGIN A | tls.certificate needs tls.enabled",
                "tls.key=-----BEGIN A | tls.key needs tls.enabled",
                "tls.clientAuthorities=-----BEGIN A | tls.clientAuthorities needs tls.enabled",
                "tls.enabled=true,tls.certificate=-----BEGIN A,tls.key=-----BEGIN A,tls.clientAuthorities=-----BEGIN A"
                        + " | tls.clientAuthorities needs tls.clientCertificatesRequired",
                "env.QUORUMLOCK_NODES=redis://a | set externalMasters instead",
                "extraEnv[0].name=QUORUMLOCK_NODES | set externalMasters instead",
                "extraEnv[0].name=quorumlock.nodes | at '/extraEnv/0/name'",
                "image.digest=a | at '/image/digest'",
                "masters.image.digest=a | at '/masters/image/digest'",
                "podLabels.app\\.kubernetes\\.io/name=x | invalid propertyName 'app.kubernetes.io/name'",
                "masters.podLabels.app\\.kubernetes\\.io/name=x | invalid propertyName 'app.kubernetes.io/name'",
                "masters.podAnnotations.quorumlock\\.io/configuration=x | invalid propertyName 'quorumlock.io/configuration'",
                "service.type=ExternalName | at '/service/type'",
                "ingress.enabled=true | ingress.enabled needs ingress.hosts",
                "ingress.hosts[0].host=a | at '/ingress/hosts/0': missing property 'paths'",
                "autoscaling.minReplicas=7 | must not be greater than autoscaling.maxReplicas",
                "nameOverride=my.locks | at '/nameOverride'",
                "fullnameOverride=my.locks | at '/fullnameOverride'",
                "fullnameOverride=1st | at '/fullnameOverride'",
                "sidecars.namespaces={} | at '/sidecars/namespaces/0'",
                "sidecars.namespaces={a.b} | at '/sidecars/namespaces/0'",
                "sidecars.example.namespace=a.b | at '/sidecars/example/namespace'",
                "monitoring.namespace= | at '/monitoring/namespace'"
            })
    void rejectsInvalidValues(String values, String message) {
        assertRejected(message, "--set", "security.open=true", "--set", values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tls.enabled=true,tls.existingSecret=x,tls.clientAuthorities=-----BEGIN A | into ca.crt of the secret",
                "tls.enabled=true,tls.existingSecret=x,tls.certificate=-----BEGIN A | into tls.crt and tls.key of",
                "tls.enabled=true,tls.existingSecret=x,tls.key=-----BEGIN A | into tls.crt and tls.key of the secret",
                "masters.existingSecret=x,masters.password=a | into password and second-password of the secret",
                "masters.existingSecret=x,masters.secondPassword=a | into password and second-password of the secret",
                EXTERNAL + "existingSecret=x,externalMasters.urls={redis://a} | into nodes of the secret",
                "security.existingSecret=x,security.keys[0].id=a,security.keys[0].rules=null | into keys.json of the"
            })
    void rejectsValuesIgnoredWithExistingSecret(String values, String message) {
        String digest = "security.keys[0].sha256=" + "0".repeat(64) + ",security.keys[0].rules[0].prefix=a,"
                + "security.keys[0].rules[0].verbs={read}";
        String set = values.replace("security.keys[0].rules=null", digest);
        assertRejected(message, "--set", "security.open=true", "--set", set);
    }

    private static void assertRejected(String message, String... arguments) {
        Shell.Result result = HelmChart.PROJECT.render(arguments);
        assertFalse(result.succeeded(), result::output);
        assertTrue(result.output().contains(message), result::output);
    }

    /** Helm reads numbers of files as floats and those of the command line as integers. */
    @Test
    void environmentKeepsWholeNumbers(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("values.yaml"),
                "env: {LARGE: 1000000, LARGEST: 9007199254740991, NEGATIVE: -1, TEXT: '0.50', ENABLED: true}");
        Map<String, String> environment = environment(open("--values", file.toString(), "--set", "env.SET=5"));
        environment.remove("QUORUMLOCK_NODES");
        environment.remove("QUORUMLOCK_SECURITY_OPEN");
        environment.remove("MASTERS_PASSWORD");
        environment.remove("QUORUMLOCK_MASTERS_PERSIST");
        assertEquals(
                Map.of(
                        "LARGE", "1000000",
                        "LARGEST", "9007199254740991",
                        "NEGATIVE", "-1",
                        "TEXT", "0.50",
                        "ENABLED", "true",
                        "SET", "5"),
                environment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5", "9007199254740993", "[1]"})
    void rejectsOtherNumbersInEnvironment(String value, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("values.yaml"), "env: {NUMBER: " + value + "}");
        assertRejected("at '/env/NUMBER'", "--set", "security.open=true", "--values", file.toString());
    }

    private static Map<String, String> environment(Manifests manifests) {
        JsonNode container = manifests.all("Deployment").get(0).podSpec().at("/containers/0/env");
        return Manifest.items(container)
                .collect(Collectors.toMap(entry -> entry.path("name").asText(), entry -> entry.path("value")
                        .asText()));
    }

    /** Helm accepts dots and leading digits in names of releases, Kubernetes rejects them in names of Services. */
    @ParameterizedTest
    @CsvSource({
        "locks, locks-quorumlock",
        "my.locks, my-locks-quorumlock",
        "my.quorumlock, my-quorumlock",
        "quorumlock-of-a-name-that-ends-in-a-dot.x.y.z, quorumlock-of-a-name-that-ends-in-a-dot",
        "quorumlock-of-a-name-ending-in-hyphens---x.y, quorumlock-of-a-name-ending-in-hyphens"
    })
    void namesOfServicesAreLabels(String release, String expected) {
        for (Manifest service : open("--name-template", release).all("Service")) {
            String name = service.name();
            assertTrue(name.equals(expected) || name.equals(expected + "-masters"), name);
            assertTrue(name.matches("[a-z]([-a-z0-9]*[a-z0-9])?"), name);
        }
    }

    @Test
    void releaseThatStartsWithDigitNeedsName() {
        assertRejected("set fullnameOverride", "--set", "security.open=true", "--name-template", "1e3");
        Manifests manifests = open("--name-template", "1e3", "--set", "fullnameOverride=locks");
        JsonNode labels = manifests.all("Deployment").get(0).content().at("/spec/selector/matchLabels");
        assertTrue(labels.path("app.kubernetes.io/instance").isTextual(), labels::toString);
    }

    @Test
    void replicasCanBeStopped() {
        Manifest deployment = open("--set", "replicas=0").all("Deployment").get(0);
        assertEquals("0", deployment.content().at("/spec/replicas").asText());
    }

    private static Manifests open(String... arguments) {
        return HelmChart.PROJECT.rendered(Stream.concat(Stream.of("--set", "security.open=true"), Stream.of(arguments))
                .toArray(String[]::new));
    }
}
