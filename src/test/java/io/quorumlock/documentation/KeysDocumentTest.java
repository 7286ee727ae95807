// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.Authenticator.Authentication;
import io.quorumlock.security.Caller;
import io.quorumlock.security.Caller.Permission;
import io.quorumlock.security.Credentials;
import io.quorumlock.security.KeyStore;
import io.quorumlock.security.Verb;
import io.quorumlock.testing.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key and key file described in docs/security.md. */
class KeysDocumentTest {
    private static final Document DOCUMENT = Document.docs("security.md");

    @TempDir
    Path folder;

    @Test
    void acceptsDocumentedKeyWithDocumentedFile() throws IOException {
        assumeTrue(Shell.has("openssl") && Shell.has("sha256sum"), "openssl or sha256sum is not installed");
        String make = DOCUMENT.blocks("sh").get(0) + "printf %s \"$KEY\"\n";
        List<String> printed = new Shell(folder, Map.of())
                .run(Duration.ofSeconds(30), "sh", "-c", make)
                .output()
                .lines()
                .toList();
        Caller billing = admitted(printed.get(0), printed.get(1));
        assertEquals(Permission.ALLOWED, billing.may(Verb.ACQUIRE, new ResourceName("billing/42")));
        assertEquals(Permission.ALLOWED, billing.may(Verb.READ, new ResourceName("billing/archive/1")));
        for (String other : List.of("billing/archive/1", "billing2")) {
            assertInstanceOf(Permission.Denied.class, billing.may(Verb.ACQUIRE, new ResourceName(other)));
        }
    }

    private Caller admitted(String hash, String key) throws IOException {
        String example = DOCUMENT.blocks("json").get(0).replaceFirst("\"[0-9a-f]{64}\"", "\"" + hash + "\"");
        Path file = Files.writeString(folder.resolve("keys.json"), example);
        KeyStore.Opened opened = assertInstanceOf(KeyStore.Opened.class, KeyStore.open(file));
        Authenticator guard = Authenticator.of(opened.store(), new VirtualTime());
        Authentication admission = guard.admit(new Credentials(Optional.of("billing"), key));
        return assertInstanceOf(Authentication.Admitted.class, admission).caller();
    }
}
