// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Document;
import io.quorumlock.documentation.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The consistency of docker-compose.yml, the Dockerfile and the Redis users with the files and settings they refer to.
 */
class ComposeFileTest {
    private static final Path MASTERS = Path.of("deploy/helm/quorumlock/files");
    private static final Pattern HOST = Pattern.compile("@([\\w-]+):6379");
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(.*) \\S+$");
    private static final JsonNode SERVICES =
            Monitoring.yaml(Path.of("docker-compose.yml")).path("services");

    @Test
    void serviceListsEachMasterOnce() {
        JsonNode environment = SERVICES.at("/quorumlock/environment");
        List<String> named = HOST.matcher(environment.path("QUORUMLOCK_NODES").asText())
                .results()
                .map(host -> host.group(1))
                .toList();
        assertEquals(IntStream.rangeClosed(1, 5).mapToObj(i -> "redis-" + i).toList(), named);
        environment
                .fieldNames()
                .forEachRemaining(name -> assertTrue(Settings.variables().contains(name), name));
    }

    /** The service starts without a master, because a majority can be available later. */
    @Test
    void serviceStartsWithoutMasters() {
        assertTrue(SERVICES.at("/quorumlock/depends_on").isArray());
    }

    @Test
    void eachMasterHasOwnVolumeAndHealthCheck() {
        Set<String> volumes = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> SERVICES.path("redis-" + i))
                .peek(master -> assertTrue(master.at("/healthcheck/test").isArray()))
                .map(master -> master.at("/volumes/0").asText())
                .collect(Collectors.toSet());
        assertEquals(5, volumes.size());
        assertTrue(volumes.stream().allMatch(volume -> volume.endsWith(":/data")), volumes::toString);
    }

    @Test
    void mountedAndCopiedFilesExist() {
        Manifest.items(SERVICES)
                .flatMap(service -> Manifest.items(service.path("volumes")))
                .map(volume -> volume.asText().split(":")[0])
                .filter(source -> source.startsWith("./"))
                .forEach(source -> assertTrue(Files.exists(Path.of(source)), source));
        COPIED.matcher(Monitoring.text(Path.of("Dockerfile")))
                .results()
                .flatMap((MatchResult copied) -> List.of(copied.group(1).split(" ")).stream())
                .forEach(source -> assertTrue(Files.exists(Path.of(source)), source));
    }

    /** The lines in SECURITY.md. AclLineTest applies them to a real master. */
    @Test
    void mastersHaveDocumentedUsers() {
        List<String> users =
                Monitoring.text(MASTERS.resolve("users.acl")).lines().toList();
        assertEquals("user default on resetpass ~* &* +@all", users.get(0));
        assertEquals("user health on nopass resetkeys resetchannels -@all +ping", users.get(1));
        assertTrue(Monitoring.text(Path.of("SECURITY.md")).lines().toList().containsAll(users), users::toString);
        assertEquals(3, users.size());
    }

    @Test
    void etcdHasTheDocumentedSpace() {
        JsonNode members = Monitoring.yaml(Path.of("docker-compose.etcd.yml")).path("x-members");
        String documented = Document.docs("stores.md").text();
        Map.of(
                        "--auto-compaction-retention=", "ETCD_AUTO_COMPACTION_RETENTION",
                        "--quota-backend-bytes=", "ETCD_QUOTA_BACKEND_BYTES")
                .forEach((option, variable) -> assertTrue(
                        documented.contains(
                                "`" + option + members.path(variable).asText() + "`"),
                        option));
    }

    @Test
    void imageHasNumericUserAndAotCache() {
        List<String> lines = Monitoring.text(Path.of("Dockerfile")).lines().toList();
        assertTrue(lines.contains("USER 10001:10001"));
        String start = lines.get(lines.size() - 1);
        Map.of("exec form", "ENTRYPOINT [\"java\"", "options", "@jvm.options", "archive", "-XX:AOTCache=app.aot")
                .forEach((what, part) -> assertTrue(start.contains(part), what));
    }
}
