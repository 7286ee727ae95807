// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import static io.quorumlock.testing.KeysText.ALICE;
import static io.quorumlock.testing.KeysText.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.keys.Authenticator.Authentication;
import io.quorumlock.http.keys.Caller.PlacePermission;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticatorTest {
    private static final ResourceName NAME = new ResourceName("a");

    private final VirtualTime time = new VirtualTime();

    @TempDir
    Path folder;

    private Path file;
    private KeyStore store;
    private Authenticator guard;

    @BeforeEach
    void writeKeys() throws IOException {
        file = folder.resolve("keys.json");
        write(KeysText.key("alice", ALICE, ":acquire"), KeysText.key("bob", BOB, ":read"));
        store = assertInstanceOf(KeyStore.Opened.class, KeyStore.open(file)).store();
        guard = Authenticator.of(store, time);
    }

    @Test
    void acceptsAKeyWithoutItsId() {
        assertEquals(Optional.empty(), admitted(ALICE).denied(Verb.ACQUIRE, NAME));
        assertEquals(Optional.of(new KeyId("alice")), admitted(ALICE).denied(Verb.READ, NAME));
    }

    @Test
    void rejectsAKeyWithTheIdOfAnother() {
        assertInstanceOf(Authentication.Admitted.class, guard.admit(new Credentials(Optional.of("alice"), ALICE)));
        assertEquals(new Authentication.WrongKey(), guard.admit(new Credentials(Optional.of("bob"), ALICE)));
    }

    @Test
    void allowsEverythingIfAuthenticationIsOff() {
        Authenticator off = Authenticator.off(time);
        assertEquals(Optional.empty(), off.anonymous().denied(Verb.FORCE, NAME));
        assertThrows(IllegalStateException.class, guard::anonymous);
    }

    @Test
    void deniesEverythingToARemovedKey() throws IOException {
        Caller alice = admitted(ALICE);
        write(KeysText.key("bob", BOB, ":read"));
        store.look();
        assertEquals(Optional.of(new KeyId("alice")), alice.denied(Verb.ACQUIRE, NAME));
        assertEquals(new Authentication.WrongKey(), admit(ALICE));
    }

    @Test
    void appliesChangedRulesToExistingCallers() throws IOException {
        Caller alice = admitted(ALICE);
        write(KeysText.key("alice", ALICE, ":read"));
        store.look();
        assertEquals(Optional.empty(), alice.denied(Verb.READ, NAME));
        assertEquals(Optional.of(new KeyId("alice")), alice.denied(Verb.ACQUIRE, NAME));
    }

    @Test
    void keepsQuotaUsageAcrossReloads() throws IOException {
        String quota = "{\"requestsPerSecond\": 2, \"waiters\": 1}";
        write(KeysText.limited("alice", ALICE, quota, ":acquire"));
        store.look();
        admitted(ALICE);
        PlacePermission.Place place =
                assertInstanceOf(PlacePermission.Place.class, admitted(ALICE).enterToWait());
        write(KeysText.limited("alice", ALICE, quota, ":acquire read"));
        store.look();
        assertEquals(new Authentication.OverQuota(new KeyId("alice"), Duration.ofMillis(500)), admit(ALICE));
        time.pass(Duration.ofMillis(500));
        assertEquals(new PlacePermission.Full(1), admitted(ALICE).enterToWait());
        place.leave().run();
        time.pass(Duration.ofSeconds(1));
        assertInstanceOf(PlacePermission.Place.class, admitted(ALICE).enterToWait());
    }

    @Test
    void releasesPlaceOnlyOnce() throws IOException {
        write(KeysText.limited("alice", ALICE, "{\"waiters\": 1}", ":acquire"));
        store.look();
        Caller alice = admitted(ALICE);
        PlacePermission.Place place = assertInstanceOf(PlacePermission.Place.class, alice.enterToWait());
        place.leave().run();
        place.leave().run();
        assertInstanceOf(PlacePermission.Place.class, alice.enterToWait());
        assertEquals(new PlacePermission.Full(1), alice.enterToWait());
    }

    @Test
    void hidesSecretsInToString() {
        Credentials credentials = new Credentials(Optional.of("alice"), ALICE);
        String printed = credentials + " " + store.ring().find(credentials).orElseThrow() + " " + admitted(ALICE);
        assertEquals(-1, printed.indexOf(ALICE), printed);
        assertEquals(-1, printed.indexOf(KeysText.sha256(ALICE)), printed);
    }

    private void write(String... keys) throws IOException {
        Files.writeString(file, KeysText.file(keys));
    }

    private Authentication admit(String key) {
        return guard.admit(new Credentials(Optional.empty(), key));
    }

    private Caller admitted(String key) {
        return assertInstanceOf(Authentication.Admitted.class, admit(key)).caller();
    }
}
