// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The packaged service with an API key, for programs that read their settings from the environment. */
record SecuredService(List<RedisServer> masters, ServiceProcess replica) implements AutoCloseable {

    /** @param folder where the keys are stored */
    static SecuredService start(Path folder) {
        Path keys = folder.resolve("keys.json");
        try {
            Files.writeString(
                    keys, KeysText.file(KeysText.key("alice", KeysText.ALICE, ":acquire extend release read")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<RedisServer> masters = RedisServers.start(5);
        try {
            return new SecuredService(
                    masters,
                    ServiceProcess.startReady(Map.of(
                            "QUORUMLOCK_NODES",
                            ServiceProcess.nodes(masters),
                            "QUORUMLOCK_SECURITY_KEYS_FILE",
                            keys.toString())));
        } catch (RuntimeException | Error failed) {
            RedisServers.close(masters);
            throw failed;
        }
    }

    /** Returns the settings of a client. */
    Map<String, String> environment() {
        return Map.of("QUORUMLOCK_URL", address(), "QUORUMLOCK_KEY", KeysText.ALICE);
    }

    String address() {
        return replica.uri().toString();
    }

    /** Returns a text of a document with the address of this service. */
    String localized(String text) {
        return text.replace(Transcript.DOCUMENTED, address());
    }

    LockClient client() {
        return replica.client().withKey(KeysText.ALICE);
    }

    @Override
    public void close() {
        replica.close();
        RedisServers.close(masters);
    }
}
