// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.SharedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs the service with agents, whose keys have different rights. */
public final class McpProfile implements QuarkusTestProfile {
    /** May do everything with all names. */
    static final String ALICE = KeysText.ALICE;
    /** May take and read locks below "shared/", extend only those below "shared/own/", and break none. */
    static final String BOB = KeysText.BOB;

    @Override
    public Map<String, String> getConfigOverrides() {
        try {
            Path file = Files.writeString(
                    SharedFiles.newFolder().resolve("keys.json"),
                    KeysText.file(
                            KeysText.key("alice", ALICE, ":acquire extend release read list force"),
                            KeysText.key(
                                    "bob",
                                    BOB,
                                    "shared/:acquire release read list",
                                    "shared/own/:acquire extend release read list")));
            return Map.of(
                    "quorumlock.mcp.enabled", "true",
                    "quorumlock.ttl.max", "2h",
                    "quorumlock.security.keys-file", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
