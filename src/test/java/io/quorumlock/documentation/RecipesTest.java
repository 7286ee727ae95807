// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes on a running service. Their work inspects the lock. */
@Tag("nightly")
@QuarkusTest
class RecipesTest {
    private static final String DOCUMENTED = "http://localhost:8080";
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Map<String, String> BLOCKS =
            Document.docs("recipes.md").blocksByHeading("sh");

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    /** A recipe with its heading and resource. */
    private enum Recipe {
        WATCH("Watch a lock until it is free", "deployment"),
        FOLLOW("Follow lock events", "orders/42"),
        CRON("Cron job that runs once in a fleet", "cron/report"),
        RATE("Limit a rate", "alerts/disk-full"),
        LEADER("Elect a leader", "leader");

        private final String heading;
        private final String resource;

        Recipe(String heading, String resource) {
            this.heading = heading;
            this.resource = resource;
        }
    }

    @BeforeEach
    void requireCurl() {
        assumeTrue(Shell.has("curl"), "curl is not installed");
    }

    @Test
    void runsEveryRecipe() {
        Set<String> run =
                Arrays.stream(Recipe.values()).map(recipe -> recipe.heading).collect(Collectors.toSet());
        assertEquals(run, BLOCKS.keySet());
    }

    @Test
    void watcherSeesHolderUntilLockIsFree() throws IOException {
        work("echo free");
        client().acquire(Recipe.WATCH.resource + "?owner=me", 3_000);
        Shell.Result watched = run(Recipe.WATCH);
        assertTrue(watched.output().matches("(held by me for \\d+ ms\n)+free\n"), watched::output);
    }

    @Test
    void followerGetsEventOfAcquiredLock() throws IOException {
        work("printf '%s' \"$1\"; exit 1");
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> locking = Background.run(() -> {
            while (!over.get()) {
                String token = client().acquire(Recipe.FOLLOW.resource, 60_000).token();
                client().release(Recipe.FOLLOW.resource, token);
            }
        });
        Shell.Result heard = run(Recipe.FOLLOW);
        over.set(true);
        locking.join();
        assertTrue(heard.output().matches("\\{\"kind\":\"\\w+\",\"resource\":\"orders/42\",.*}"), heard::output);
    }

    @Test
    void cronJobRunsOnOneMachine() throws IOException {
        work("echo ran");
        assertEquals(new Shell.Result(0, "ran\n"), run(Recipe.CRON));
        assertEquals(new Shell.Result(0, ""), run(Recipe.CRON));
        force(Recipe.CRON);
    }

    @Test
    void rateLimitRunsWorkOnce() throws IOException {
        work("echo sent");
        assertEquals(new Shell.Result(0, "sent\n"), run(Recipe.RATE));
        assertEquals(new Shell.Result(0, ""), run(Recipe.RATE));
        force(Recipe.RATE);
    }

    @Test
    void leaderHoldsLeaseDuringWork() throws IOException {
        work("sleep 9; " + status(Recipe.LEADER) + "; exit 3");
        acquire(Recipe.LEADER, 3_000);
        // As long as no stall of a busy machine lasts.
        assertEquals(new Shell.Result(3, "200"), run(Recipe.LEADER, "ttlMs=30000", "ttlMs=8000"));
        Eventually.holds("free", () -> client().get("/locks/leader").status() == 404);
    }

    @Test
    void leaderStopsWhenLeaseIsLost() throws IOException {
        String force = curl("-X DELETE", Recipe.LEADER, "?force=true&reason=test");
        work("until [ \"$(" + force + ")\" = 204 ]; do :; done; printf 204; exec sleep 20");
        Shell.Result ended = run(Recipe.LEADER, "ttlMs=30000", "ttlMs=3000");
        assertTrue(ended.output().startsWith("204"), ended::output);
        assertTrue(ended.status() > 128, "killed, and not " + ended.status());
    }

    private Shell.Result run(Recipe recipe) {
        return run(recipe, "", "");
    }

    private Shell.Result run(Recipe recipe, String slow, String fast) {
        String script = BLOCKS.get(recipe.heading).replace(DOCUMENTED, here()).replace(slow, fast);
        return new Shell(folder, Map.of()).run(Eventually.LONGEST, "sh", "-c", script);
    }

    private void work(String script) throws IOException {
        Path work = folder.resolve("work");
        Files.writeString(work, "#!/bin/sh\n" + script + "\n");
        assertTrue(work.toFile().setExecutable(true));
    }

    /** Prints 200 while the lock is held. */
    private String status(Recipe recipe) {
        return curl("", recipe, "");
    }

    private String curl(String options, Recipe recipe, String query) {
        return "curl -s -o /dev/null -w '%{http_code}' " + options + " '" + here() + "/locks/" + recipe.resource + query
                + "'";
    }

    private String here() {
        return "http://localhost:" + service.getPort();
    }

    private LockClient client() {
        return new LockClient(URI.create(here()));
    }

    private void acquire(Recipe recipe, int ttlMs) {
        assertEquals(201, client().acquire(recipe.resource, ttlMs).status());
    }

    /** Retries if a busy machine reached no majority. */
    private void force(Recipe recipe) {
        Eventually.holds("released", () -> Set.of(204, 404)
                .contains(client().force(recipe.resource, "test", "recipes").status()));
    }
}
