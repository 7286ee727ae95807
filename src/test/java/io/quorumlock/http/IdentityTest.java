// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.http.keys.Caller;
import io.quorumlock.http.keys.KeyStore;
import io.quorumlock.http.keys.RefusalReason;
import io.quorumlock.http.keys.SecurityMeters;
import io.quorumlock.http.keys.Verb;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identities of requests with and without API keys. */
class IdentityTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @TempDir
    Path folder;

    private ApiKeyMechanism mechanism;

    @BeforeEach
    void openKeys() throws IOException {
        Path file = folder.resolve("keys.json");
        Files.writeString(file, KeysText.file(KeysText.key("alice", KeysText.ALICE, ":read")));
        KeyStore.Opened opened = assertInstanceOf(KeyStore.Opened.class, KeyStore.open(file));
        Authenticator keys = Authenticator.of(opened.store(), new VirtualTime());
        mechanism = new ApiKeyMechanism(
                keys,
                new SecurityMeters(meters, keys),
                ContractJson.ROUTES,
                ContractJson.writer(),
                new ProblemMappers(Clock.systemUTC(), () -> ContractJson.ROUTES),
                false);
    }

    @Test
    void identifiesKeyByItsCaller() {
        SecurityIdentity identity = identity("Bearer " + KeysText.ALICE).join();
        assertEquals("alice", identity.getPrincipal().getName());
        assertFalse(identity.isAnonymous());
        assertEquals(Optional.empty(), identity.getPrincipal(Caller.class).denied(Verb.READ, new ResourceName("a")));
        assertEquals(List.of(), refused());
    }

    @Test
    void rejectsUnknownKeys() {
        assertEquals(401, rejection("Bearer " + KeysText.BOB).answer().status());
        assertEquals(List.of(RefusalReason.WRONG_KEY), refused());
    }

    @Test
    void rejectsMalformedHeaders() {
        assertEquals(401, rejection("Bearer").answer().status());
        assertEquals(List.of(RefusalReason.MALFORMED), refused());
    }

    @Test
    void requiresCredentials() {
        assertEquals(401, rejection().answer().status());
        assertEquals(List.of(RefusalReason.NO_KEY), refused());
    }

    private ProblemException rejection(String... headers) {
        Throwable failure =
                identity(headers).handle((identity, thrown) -> thrown).join();
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return assertInstanceOf(
                ProblemException.class,
                assertInstanceOf(AuthenticationFailedException.class, cause).getCause());
    }

    /** An event loop must not wait for an identity. */
    private List<RefusalReason> refused() {
        return Stream.of(RefusalReason.values())
                .filter(reason -> meters.get("quorumlock.security.refusals")
                                .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                                .counter()
                                .count()
                        > 0)
                .toList();
    }

    private CompletableFuture<SecurityIdentity> identity(String... headers) {
        CompletableFuture<SecurityIdentity> identity =
                mechanism.authenticate(List.of(headers)).subscribeAsCompletionStage();
        assertTrue(identity.isDone());
        return identity;
    }
}
