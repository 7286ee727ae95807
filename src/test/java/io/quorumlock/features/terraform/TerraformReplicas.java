// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.http.OpenApiContract;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Two replicas on the same masters, with keys.
 *
 * @param locks serves locks only
 * @param states passes states on to the store
 */
record TerraformReplicas(List<RedisServer> masters, ServiceProcess locks, ServiceProcess states, StateServer store)
        implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    /** @param folder where the keys are stored */
    static TerraformReplicas start(Path folder) {
        Path keys = folder.resolve("keys.json");
        try {
            Files.writeString(
                    keys,
                    KeysText.file(
                            KeysText.key("alice", KeysText.ALICE, "terraform/:acquire extend release read"),
                            KeysText.key("bob", KeysText.BOB, "terraform/:acquire extend release read force")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<RedisServer> masters = RedisServers.start(5);
        StateServer store = new StateServer();
        Map<String, String> settings = new HashMap<>(Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_TTL_MAX",
                "1h",
                "QUORUMLOCK_SECURITY_KEYS_FILE",
                keys.toString(),
                "QUORUMLOCK_TERRAFORM_ENABLED",
                "true"));
        ServiceProcess locks = ServiceProcess.startReady(settings);
        settings.put("QUORUMLOCK_TERRAFORM_STATE_URL", store.url());
        return new TerraformReplicas(masters, locks, ServiceProcess.startReady(settings), store);
    }

    /** Returns a run for a state of its own. */
    static TerraformRun run(ServiceProcess service, String key) {
        return new TerraformRun(
                service.uri(), "prod/" + UUID.randomUUID(), UUID.randomUUID().toString(), key);
    }

    /** Checks an answer against the contract, and returns its body. */
    static JsonNode expect(int status, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer::body);
        String method = answer.request().method();
        if (List.of("PUT", "GET", "POST", "DELETE").contains(method)) {
            Map<String, String> headers = answer.headers().map().entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, header -> header.getValue().get(0)));
            CONTRACT.check(method, answer.request().uri().getRawPath(), status, headers, answer.body());
        }
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    @Override
    public void close() {
        states.close();
        locks.close();
        RedisServers.close(masters);
        store.close();
    }
}
