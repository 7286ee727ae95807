// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The commands of the workflow and of the containers in docs/use, as their runners run them, with an API key. */
@Tag("nightly")
class ScriptedUseIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Path EXAMPLES = Path.of("deploy/kubernetes");
    private static final Set<String> OF_WORKFLOWS = Set.of("name", "true", "permissions", "jobs");
    private static final Set<String> OF_JOBS = Set.of("runs-on", "timeout-minutes", "env", "steps");
    private static final Set<String> OF_STEPS = Set.of("name", "uses", "run");

    @TempDir
    static Path keys;

    private static SecuredService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        service = SecuredService.start(keys);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void requireCurl() {
        assumeTrue(Shell.has("curl"), "curl is not installed");
    }

    /** The deployment fails if another one is in progress. */
    @Test
    void deploymentsOfTwoRunsFollowEachOther() throws IOException {
        assumeTrue(Shell.has("bash"), "bash is not installed");
        JsonNode job = workflow();
        String deploy =
                """
                #!/bin/sh
                mkdir ../busy || exit 1
                sleep 1
                rmdir ../busy
                echo deployed
                """;
        List<CompletableFuture<String>> runs = new ArrayList<>();
        for (String run : List.of("one", "two")) {
            Path workspace = Files.createDirectories(folder.resolve(run));
            Path script = Files.writeString(workspace.resolve("deploy.sh"), deploy);
            assertTrue(script.toFile().setExecutable(true));
            runs.add(Background.supply(() -> steps(job, workspace)));
        }
        runs.forEach(run -> assertEquals("deployed\n", run.join()));
        assertFree("deployments/production");
    }

    @Test
    void jobWorksUnderLock() {
        String[] command = container(0, "cronjob.yaml", "/spec/jobTemplate/spec/template", folder);
        Shell.Result ran = shell().run(LONGEST, command);
        assertEquals(new Shell.Result(0, "working\n"), ran);
        assertFree("reports/daily");
    }

    /** The second pod works when the first one was deleted. */
    @Test
    void onePodOfDeploymentWorks() throws IOException {
        Path one = folder.resolve("one.log");
        Path two = folder.resolve("two.log");
        List<Process> pods = new ArrayList<>();
        try {
            pods.add(shell().start(one, pod("one")));
            Eventually.within(LONGEST, "the first works", () -> text(one).startsWith("working\n"));
            pods.add(shell().start(two, pod("two")));
            Eventually.within(
                    LONGEST, "the second waits", () -> service.client().metric("quorumlock_waiters") == 1);
            assertEquals("", text(two));
            pods.get(0).destroy();
            Eventually.within(LONGEST, "the second works", () -> text(two).startsWith("working\n"));
            pods.get(1).destroy();
            Eventually.within(LONGEST, "free", () -> free("work"));
        } finally {
            pods.forEach(pod -> pod.descendants().forEach(ProcessHandle::destroyForcibly));
            pods.forEach(Process::destroyForcibly);
        }
    }

    /** Returns the job of the workflow in docs/use/github-actions.md. It has only fields that this test follows. */
    private static JsonNode workflow() {
        JsonNode workflow =
                yaml(Document.docs("use/github-actions.md").blocks("yaml").get(0));
        JsonNode job = workflow.at("/jobs/deploy");
        assertKnown(OF_WORKFLOWS, workflow);
        assertKnown(OF_JOBS, job);
        job.path("steps").forEach(step -> assertKnown(OF_STEPS, step));
        return job;
    }

    private static void assertKnown(Set<String> known, JsonNode object) {
        object.fieldNames().forEachRemaining(field -> assertTrue(known.contains(field), field));
    }

    /** Runs the steps like GitHub's runner, which has checked out the workspace. Returns what they print. */
    private static String steps(JsonNode job, Path workspace) {
        Map<String, String> environment = new HashMap<>(Map.of("RUNNER_TEMP", workspace.toString()));
        job.path("env")
                .properties()
                .forEach(variable -> environment.put(
                        variable.getKey(),
                        variable.getValue()
                                .asText()
                                .replace("${{ secrets.QUORUMLOCK_KEY }}", KeysText.ALICE)
                                .replace("https://locks.example.com", service.address())));
        StringBuilder printed = new StringBuilder();
        for (JsonNode step : job.path("steps")) {
            if (step.has("run")) {
                Shell.Result ran = new Shell(workspace, environment)
                        .run(LONGEST, "bash", "-e", "-c", step.path("run").asText());
                printed.append(ran.output());
                assertEquals(0, ran.status(), printed::toString);
            }
        }
        return printed.toString();
    }

    private String[] pod(String name) throws IOException {
        return container(1, "sidecar.yaml", "/spec/template", Files.createDirectory(folder.resolve(name)));
    }

    /** Returns the command of a container, which the page shows as it is in the example. */
    private static String[] container(int block, String file, String template, Path tmp) {
        JsonNode shown = yaml(Document.docs("use/kubernetes.md").blocks("yaml").get(block));
        JsonNode container =
                yaml(Document.read(EXAMPLES.resolve(file)).text()).at(template).at("/spec/containers/0");
        shown.properties().forEach(field -> assertEquals(field.getValue(), container.path(field.getKey())));
        List<String> command = new ArrayList<>();
        shown.path("command")
                .forEach(part -> command.add(service.localized(part.asText().replace("/tmp/", tmp + "/"))));
        assertEquals(3, command.size());
        return command.toArray(String[]::new);
    }

    private Shell shell() {
        return new Shell(folder, service.environment());
    }

    private static void assertFree(String lock) {
        Eventually.within(LONGEST, lock, () -> free(lock));
    }

    private static boolean free(String lock) {
        return service.client().get("/locks/" + lock).status() == 404;
    }

    private static String text(Path file) {
        return Document.read(file).text();
    }

    private static JsonNode yaml(String text) {
        return new ObjectMapper().valueToTree(new Yaml().load(text));
    }
}
