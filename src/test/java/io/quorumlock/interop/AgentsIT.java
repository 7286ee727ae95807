// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Coding agents with the official SDKs of the Model Context Protocol, on each engine with two replicas. */
@Tag("tools")
class AgentsIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String TOOLS = " acquire extend release check list break\n";
    private static final Map<String, String> PATIENT = Map.of("QUORUMLOCK_TTL_MAX", "2h");

    /** One for each agent, so that they run at the same time. */
    private static Path programs;

    @TempDir
    Path folder;

    @BeforeAll
    static void install() {
        assumeTrue(Packages.canRunNode(), "Node is not installed");
        assumeTrue(Packages.canRunPython(), "Python is not installed");
        Packages.ofPython("agents");
        programs = Packages.ofNode("agents");
    }

    @Test
    void shareLocksOnMasters() throws IOException {
        List<RedisServer> masters = RedisServers.start(5);
        try {
            Map<String, String> settings = new HashMap<>(PATIENT);
            settings.put("QUORUMLOCK_NODES", ServiceProcess.nodes(masters));
            withReplicas(settings);
        } finally {
            RedisServers.close(masters);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shareLocksOnStore(TestStore store) throws IOException {
        withReplicas(store.settings());
    }

    private void withReplicas(Map<String, String> engine) throws IOException {
        Path keys = Files.writeString(
                folder.resolve("keys.json"),
                KeysText.file(KeysText.key("alice", KeysText.ALICE, "agents/:acquire extend release read list")));
        Map<String, String> settings = new HashMap<>(engine);
        settings.put("QUORUMLOCK_MCP_ENABLED", "true");
        settings.put("QUORUMLOCK_SECURITY_KEYS_FILE", keys.toString());
        try (ServiceProcess first = ServiceProcess.startReady(settings);
                ServiceProcess second = ServiceProcess.startReady(settings)) {
            String[] urls = {first.uri().toString(), second.uri().toString()};
            checkAgents(urls);
            checkInspector(urls);
        }
    }

    /**
     * The two SDKs in JavaScript and that in Python, without a handshake and with it, at the same time. They take turns with a
     * file, so no two of them have its lock at once.
     */
    private void checkAgents(String... urls) throws IOException {
        Path file = folder.resolve("turns");
        List<CompletableFuture<String>> agents = Stream.of(
                        agent(urls, file, "node", "agent.mjs", "sdk"),
                        agent(urls, file, "node", "agent.mjs", "client"),
                        agent(urls, file, "venv/bin/python", "agent.py", "legacy"),
                        agent(urls, file, "venv/bin/python", "agent.py", "auto"))
                .map(command -> Background.supply(() -> run(command)))
                .toList();
        assertEquals(
                List.of("sdk" + TOOLS, "2026-07-28" + TOOLS, "2025-11-25" + TOOLS, "2026-07-28" + TOOLS),
                agents.stream().map(CompletableFuture::join).toList());
        List<String> lines = Files.readAllLines(file);
        assertEquals(2 * 4 * 10, lines.size(), lines::toString);
        for (int i = 0; i < lines.size(); i += 2) {
            assertEquals(lines.get(i).replace("begin", "end"), lines.get(i + 1), lines::toString);
        }
    }

    private static String[] agent(String[] urls, Path file, String program, String script, String version) {
        String lock = "agents/" + script + "/" + version;
        Stream<String> arguments = Stream.of(program, script, version, KeysText.ALICE, lock, file.toString());
        return Stream.concat(arguments, Stream.of(urls)).toArray(String[]::new);
    }

    /** The inspector shows results as JSON. */
    private static void checkInspector(String... urls) {
        String tools = inspect(urls[0], "tools/list");
        assertTrue(tools.contains("\"waitSeconds\""), tools);
        String names = "names=[\"agents/inspector/a\",\"agents/inspector/b\"]";
        String lease =
                inspect(urls[0], "tools/call", "acquire", names, "agent=inspector", "note=a test", "ttlMinutes=9");
        String token = lease.replaceAll("(?s).*\"token\": \"([^\"]+)\".*", "$1");
        String check = "names=[\"agents/inspector/a\"]";
        assertTrue(inspect(urls[1], "tools/call", "check", check).contains("\"inspector: a test\""));
        String extended = inspect(urls[1], "tools/call", "extend", names, "token=" + token, "ttlMinutes=40");
        assertTrue(extended.contains("You hold 2 locks for at least 39 minutes."), extended);
        String released = inspect(urls[0], "tools/call", "release", names, "token=" + token);
        assertTrue(released.contains("\"isError\": false"), released);
        assertTrue(inspect(urls[1], "tools/call", "check", check).contains("\"free\""));
    }

    /** Calls a method, and of {@code tools/call} a tool with arguments. */
    private static String inspect(String url, String method, String... call) {
        List<String> command = new ArrayList<>(List.of("node_modules/.bin/mcp-inspector-cli", "--cli", url + "/mcp"));
        command.addAll(List.of("--transport", "http", "--header", "Authorization: Bearer " + KeysText.ALICE));
        command.addAll(List.of("--method", method));
        if (call.length > 0) {
            command.addAll(List.of("--tool-name", call[0]));
        }
        Stream.of(call).skip(1).forEach(argument -> command.addAll(List.of("--tool-arg", argument)));
        return run(command.toArray(String[]::new));
    }

    private static String run(String... command) {
        Shell.Result ran = new Shell(programs, Map.of()).run(LONGEST, command);
        assertEquals(0, ran.status(), ran::output);
        return ran.output();
    }
}
