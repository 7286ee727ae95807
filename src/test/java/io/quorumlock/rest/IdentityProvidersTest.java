// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AnonymousAuthenticationRequest;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.ApiKeyMechanism.ApiKeyRequest;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.Authenticator.Credentials;
import io.quorumlock.security.Caller;
import io.quorumlock.security.Caller.Permission;
import io.quorumlock.security.KeyStore;
import io.quorumlock.security.SecurityListener.RefusalReason;
import io.quorumlock.security.Verb;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.VirtualTime;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identities of requests with and without API keys. */
class IdentityProvidersTest {
    private final VirtualTime time = new VirtualTime();
    private final List<RefusalReason> refused = new ArrayList<>();

    @TempDir
    Path folder;

    private Authenticator keys;

    @BeforeEach
    void openKeys() throws IOException {
        Path file = folder.resolve("keys.json");
        Files.writeString(file, KeysText.file(KeysText.key("alice", KeysText.ALICE, ":read")));
        keys = Authenticator.of(
                assertInstanceOf(KeyStore.Opened.class, KeyStore.open(file)).store(), time);
    }

    @Test
    void identifiesKeyByItsCaller() {
        SecurityIdentity identity = atOnce(ask(KeysText.ALICE)).join();
        assertEquals("alice", identity.getPrincipal().getName());
        assertFalse(identity.isAnonymous());
        assertEquals(Permission.ALLOWED, identity.getPrincipal(Caller.class).may(Verb.READ, new ResourceName("a")));
        assertEquals(List.of(), refused);
    }

    @Test
    void rejectsWrongKeys() {
        assertEquals(401, rejection(ask("wrong")).answer().status());
        assertEquals(List.of(RefusalReason.WRONG_KEY), refused);
    }

    @Test
    void requiresCredentialsIfAuthenticationIsOn() {
        assertEquals(401, rejection(askWithout(keys)).answer().status());
        assertEquals(List.of(RefusalReason.NO_KEY), refused);
    }

    @Test
    void identifiesEverybodyAsAnonymousIfAuthenticationIsOff() {
        SecurityIdentity identity = atOnce(askWithout(Authenticator.off(time))).join();
        assertTrue(identity.isAnonymous());
        assertEquals(Permission.ALLOWED, identity.getPrincipal(Caller.class).may(Verb.FORCE, new ResourceName("a")));
    }

    @Test
    void hidesKeys() {
        assertFalse(request(KeysText.ALICE).toString().contains(KeysText.ALICE));
    }

    private Uni<SecurityIdentity> ask(String key) {
        return new ApiKeyProvider(keys, refused::add).authenticate(request(key), null);
    }

    private static ApiKeyRequest request(String key) {
        return new ApiKeyRequest(new Credentials(Optional.empty(), key));
    }

    private Uni<SecurityIdentity> askWithout(Authenticator authenticator) {
        return new AnonymousProvider(authenticator, refused::add)
                .authenticate(AnonymousAuthenticationRequest.INSTANCE, null);
    }

    private static ProblemException rejection(Uni<SecurityIdentity> outcome) {
        Throwable failure = atOnce(outcome).handle((identity, thrown) -> thrown).join();
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return assertInstanceOf(
                ProblemException.class,
                assertInstanceOf(AuthenticationFailedException.class, cause).getCause());
    }

    /** An event loop must not wait for an identity. */
    private static CompletableFuture<SecurityIdentity> atOnce(Uni<SecurityIdentity> outcome) {
        CompletableFuture<SecurityIdentity> identity = outcome.subscribeAsCompletionStage();
        assertTrue(identity.isDone());
        return identity;
    }
}
