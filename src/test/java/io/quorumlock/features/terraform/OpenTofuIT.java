// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.features.terraform.OpenTofu.Run;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real OpenTofu on each engine. An apply that waits for its approval holds the lock. */
@Tag("tools")
class OpenTofuIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern LOCK_ID = Pattern.compile("ID: +([0-9a-f-]{36})");

    @TempDir
    Path folder;

    @Test
    void statesAreSafeOnMasters() {
        List<RedisServer> masters = RedisServers.start(5);
        try {
            check(Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters), "QUORUMLOCK_TTL_MAX", "1h"));
        } finally {
            RedisServers.close(masters);
        }
    }

    @Test
    void keysAreAskedFor() throws IOException {
        Path keys = Files.writeString(
                folder.resolve("keys.json"),
                KeysText.file(
                        KeysText.key("alice", KeysText.ALICE, "terraform/:acquire extend release read"),
                        KeysText.key("bob", KeysText.BOB, "terraform/:read")));
        List<RedisServer> masters = RedisServers.start(5);
        try (StateServer states = new StateServer();
                ServiceProcess service = ServiceProcess.startReady(Map.of(
                        "QUORUMLOCK_NODES",
                        ServiceProcess.nodes(masters),
                        "QUORUMLOCK_TTL_MAX",
                        "1h",
                        "QUORUMLOCK_SECURITY_KEYS_FILE",
                        keys.toString(),
                        "QUORUMLOCK_TERRAFORM_ENABLED",
                        "true",
                        "QUORUMLOCK_TERRAFORM_STATE_URL",
                        states.url()))) {
            keyInTheAddressOfTheLock(service, states);
            keyInTheEnvironment(service, states);
        } finally {
            RedisServers.close(masters);
        }
    }

    /** The state is not behind the service. */
    private void keyInTheAddressOfTheLock(ServiceProcess service, StateServer states) {
        OpenTofu first = lockOnly("first", "alice:" + KeysText.ALICE, service, states);
        OpenTofu second = lockOnly("second", "alice:" + KeysText.ALICE, service, states);
        Run holder = first.applyUntilApproved();
        second.apply().fails().shows("Error acquiring the state lock").shows("OperationTypeApply");
        holder.approve();
        holder.succeeds();
        second.apply().succeeds();
        lockOnly("lacks", "bob:" + KeysText.BOB, service, states)
                .apply()
                .fails()
                .shows("invalid auth");
        lockOnly("unknown", "bob:" + KeysText.ALICE, service, states)
                .apply()
                .fails()
                .shows("requires auth");
        assertTrue(saved(states, "alone").contains("\"second\""), () -> saved(states, "alone"));
    }

    private OpenTofu lockOnly(String name, String key, ServiceProcess service, StateServer states) {
        String lock = service.uri().toString().replace("//", "//" + key + "@") + "/terraform/alone";
        return new OpenTofu(folder.resolve(name), Map.of()).init(states.url() + "alone", lock, "POST", name);
    }

    private void keyInTheEnvironment(ServiceProcess service, StateServer states) {
        Map<String, String> environment = Map.of("TF_HTTP_USERNAME", "alice", "TF_HTTP_PASSWORD", KeysText.ALICE);
        String address = service.uri() + "/terraform/behind";
        OpenTofu tofu = new OpenTofu(folder.resolve("behind"), environment).init(address, address, "PUT", "behind");
        tofu.apply("-lock=false").fails().shows("HTTP error: 400");
        assertFalse(states.states.containsKey("/below/behind"));
        tofu.apply().succeeds();
        assertTrue(saved(states, "behind").contains("\"behind\""), () -> saved(states, "behind"));
    }

    @ParameterizedTest
    @EnumSource
    void statesAreSafeOnStore(TestStore store) {
        check(store.settings());
    }

    private void check(Map<String, String> engine) {
        try (StateServer states = new StateServer()) {
            Map<String, String> settings = new HashMap<>(engine);
            settings.put("QUORUMLOCK_TERRAFORM_ENABLED", "true");
            settings.put("QUORUMLOCK_TERRAFORM_STATE_URL", states.url());
            try (ServiceProcess service = ServiceProcess.startReady(settings)) {
                secondApplyWaits(service, states);
                killedApplyIsUnlocked(service);
                lateApplySavesNothing(service, states);
                redirectedApplyFails(service, states);
            }
        }
    }

    private OpenTofu folder(String name, ServiceProcess service, String state) {
        return OpenTofu.init(folder.resolve(name), service.uri() + "/terraform/" + state, name);
    }

    private void secondApplyWaits(ServiceProcess service, StateServer states) {
        OpenTofu first = folder("first", service, "waits");
        OpenTofu second = folder("second", service, "waits");
        Run holder = first.applyUntilApproved();
        second.apply().fails().shows("Error acquiring the state lock").shows("OperationTypeApply");
        Run waiting = second.apply("-lock-timeout=30s").shows("Acquiring state lock");
        holder.approve();
        holder.succeeds();
        waiting.succeeds();
        assertTrue(saved(states, "waits").contains("\"second\""), () -> saved(states, "waits"));
    }

    private void killedApplyIsUnlocked(ServiceProcess service) {
        OpenTofu tofu = folder("killed", service, "killed");
        tofu.applyUntilApproved().kill();
        Run refused = tofu.apply().fails();
        Matcher id = LOCK_ID.matcher(refused.output());
        assertTrue(id.find(), refused::output);
        tofu.start("force-unlock", "-force", "00000000-0000-0000-0000-000000000000")
                .fails();
        tofu.apply().fails();
        tofu.start("force-unlock", "-force", id.group(1)).succeeds();
        tofu.apply().succeeds();
    }

    private void lateApplySavesNothing(ServiceProcess service, StateServer states) {
        String state = "late?ttlMs=6000";
        OpenTofu late = folder("late", service, state);
        OpenTofu next = folder("next", service, state);
        Run paused = late.applyUntilApproved();
        LockClient client = service.client();
        Eventually.within(
                LIMIT, "free", () -> client.get("/locks/terraform/late").status() == 404);
        next.apply("-lock-timeout=30s").succeeds();
        String saved = saved(states, "late");
        paused.approve();
        paused.fails().shows("409");
        assertEquals(saved, saved(states, "late"));
        assertTrue(late.has("errored.tfstate"), paused::output);
        assertFalse(next.has("errored.tfstate"));
    }

    /** The tool repeats a redirected call as GET, and would take 200 for a lock or a save. */
    private void redirectedApplyFails(ServiceProcess service, StateServer states) {
        folder("before", service, "redirected").apply().succeeds();
        String saved = saved(states, "redirected");
        String direct = service.uri() + "/terraform/redirected";
        for (int status : List.of(301, 302, 303)) {
            try (RedirectingProxy proxy = new RedirectingProxy(status, service.uri())) {
                String redirected = proxy.uri() + "/terraform/redirected";
                new OpenTofu(folder.resolve("lock" + status), Map.of())
                        .init(direct, redirected, "POST", "lock")
                        .apply()
                        .fails()
                        .shows("Unexpected HTTP response code 400");
            }
        }
        assertEquals(saved, saved(states, "redirected"));
    }

    private static String saved(StateServer states, String name) {
        return new String(states.states.get("/below/" + name), StandardCharsets.UTF_8);
    }
}
