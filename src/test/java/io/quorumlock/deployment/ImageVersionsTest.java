// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The images of the Dockerfile, the compose files, the manifests and the chart: exact versions, because a moving tag is another program tomorrow. */
class ImageVersionsTest {
    private static final Pattern EXACT = Pattern.compile("[\\w./-]+:v?\\d+\\.\\d+\\.\\d+([_.-].*)?");
    private static final Pattern BASE = Pattern.compile("(?m)^FROM (\\S+:\\S+)");
    private static final JsonNode COMPOSE =
            Monitoring.yaml(Path.of("docker-compose.yml")).path("services");
    private static final JsonNode VALKEY =
            Monitoring.yaml(Path.of("docker-compose.valkey.yml")).path("services");

    @Test
    void imagesHaveExactVersions() {
        Set<String> images = Stream.of(images(COMPOSE), images(VALKEY), bases(), masters())
                .flatMap(Set::stream)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(images.size() >= 6, images::toString);
        assertEquals(
                List.of(),
                images.stream().filter(image -> !EXACT.matcher(image).matches()).toList());
    }

    @Test
    void rejectsMovingTags() {
        List.of("redis", "redis:latest", "redis:7.4-alpine", "eclipse-temurin:25-jdk")
                .forEach(moving -> assertTrue(!EXACT.matcher(moving).matches(), moving));
    }

    /** The pipeline provides the images under these names where no registry is reachable. */
    @Test
    void pipelineProvidesTheSameImages() {
        String pipeline = Monitoring.text(Path.of(".ci/run"));
        Stream.concat(bases().stream(), Stream.of(COMPOSE.at("/redis-1/image").asText()))
                .forEach(image -> assertTrue(List.of(pipeline.split("\\s")).contains(image), image));
    }

    @Test
    void valkeyReplacesEveryMaster() {
        Set<String> masters =
                IntStream.rangeClosed(1, 5).mapToObj(i -> "redis-" + i).collect(Collectors.toCollection(TreeSet::new));
        Set<String> replaced = new TreeSet<>();
        Set<String> volumes = new TreeSet<>();
        VALKEY.properties().forEach(master -> {
            replaced.add(master.getKey());
            volumes.add(master.getValue().at("/volumes/0").asText());
            assertTrue(master.getValue().path("image").asText().startsWith("valkey/valkey:"), master::toString);
            assertEquals("valkey", master.getValue().path("user").asText());
        });
        assertEquals(masters, replaced);
        assertEquals(5, volumes.size(), volumes::toString);
        assertTrue(volumes.stream().allMatch(volume -> volume.matches("valkey-\\d:/data")), volumes::toString);
    }

    private static Set<String> images(JsonNode services) {
        return Manifest.items(services)
                .map(service -> service.path("image").asText())
                .filter(image -> !image.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Returns the image of the masters on Kubernetes. */
    private static Set<String> masters() {
        JsonNode image =
                Monitoring.yaml(Path.of("deploy/helm/quorumlock/values.yaml")).at("/masters/image");
        return Set.of(
                image.path("repository").asText() + ":" + image.path("tag").asText());
    }

    /** Returns the base images of the Dockerfile, without its own stages. */
    private static Set<String> bases() {
        return BASE.matcher(Monitoring.text(Path.of("Dockerfile")))
                .results()
                .map(base -> base.group(1))
                .collect(Collectors.toSet());
    }
}
