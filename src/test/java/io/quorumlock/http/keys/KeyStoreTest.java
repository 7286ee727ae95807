// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import static io.quorumlock.testing.KeysText.ALICE;
import static io.quorumlock.testing.KeysText.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.KeysText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KeyStoreTest {
    private static final String CANARY = "canary-0123456789-canary-0123456789-canary";

    @TempDir
    Path folder;

    /** In the inputs, {@code '} stands for a quotation mark and {@code HASH} for a valid hash. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "^^ | line 1: is empty; a file without keys is {\"keys\": []}",
                "^  ^ | line 1: is empty",
                "nonsense | line 1, column 1: is not valid JSON",
                "[] | line 1: must be an object, {…}",
                "{} | line 1: lacks the field \"keys\"",
                "{'keys':[]} {} | line 1: must be one object and nothing after it",
                "{'keys':[],'more':1} | line 1: has an unknown field; known are keys",
                "{'keys':[],'keys':[]} | line 1, column 18: has the same field twice",
                "{'keys':{}} | line 1, keys: must be a list, […]",
                "{'keys':[} | line 1, column 10: is not valid JSON",
                "{'keys':[1]} | line 1, keys[0]: must be an object, {…}",
                "{'keys':[{}]} | line 1, keys[0]: lacks the field",
                "{'keys':[{'id':1}]} | line 1, keys[0].id: must be a string",
                "{'keys':[{'id':''}]} | line 1, keys[0].id: must be 1 to 64 ASCII letters",
                "{'keys':[{'id':'a b'}]} | line 1, keys[0].id: must be 1 to 64 ASCII letters",
                "{'keys':[{'sha256':'canary-0123456789'}]} | line 1, keys[0].sha256: must be the SHA-256 of a key",
                "{'keys':[{'sha256':'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'}]} | keys[0].sha256: is the SHA-256 of an empty input",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[],'key':'canary-0123456789'}]} | keys[0]: has an unknown field; known are id, quota, rules, sha256",
                "{'keys':[{'id':'a','id':'b'}]} | line 1, column 24: has the same field twice",
                "{'keys':[{'rules':[{'prefix':'/a'}]}]} | keys[0].rules[0].prefix: must not begin with a slash: leave it out",
                "{'keys':[{'rules':[{'prefix':'a/../b'}]}]} | prefix: must not contain the segment \"..\"",
                "{'keys':[{'rules':[{'prefix':'a\\nb'}]}]} | prefix: must not contain control characters",
                "{'keys':[{'rules':[{'prefix':'\\ud800'}]}]} | prefix: must be valid UTF-8",
                "{'keys':[{'rules':[{'prefix':null}]}]} | prefix: must be a string",
                "{'keys':[{'rules':[{'verbs':['aquire']}]}]} | verbs[0]: must be one of acquire, extend, release, read, list, force, events",
                "{'keys':[{'rules':[{'verbs':['ACQUIRE']}]}]} | verbs[0]: must be one of",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[{'prefix':'a','verbs':['read','read']}]}]} | keys[0].rules[0].verbs[1]: must differ from all earlier entries",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[{'prefix':'a','verbs':[]},{'prefix':'a','verbs':[]}]}]} | keys[0].rules[1].prefix: must differ",
                "{'keys':[{'rules':[{'prefix':''}]}]} | keys[0].rules[0]: lacks the field \"verbs\"",
                "{'keys':[{'quota':{'requestsPerSecond':0}}]} | line 1, keys[0].quota: \"requestsPerSecond\" must be a whole number from 1 to 1000000",
                "{'keys':[{'quota':{'requestsPerSecond':1.5}}]} | requestsPerSecond: must be a whole number",
                "{'keys':[{'quota':{'requestsPerSecond':'9'}}]} | requestsPerSecond: must be a whole number",
                "{'keys':[{'quota':{'waiters':99999999999}}]} | waiters: must be a whole number",
                "{'keys':[{'quota':{'waiters':1000001}}]} | keys[0].quota: \"waiters\" must be a whole number from 0 to 1000000",
                "{'keys':[{'quota':{'waiter':9}}]} | quota: has an unknown field; known are requestsPerSecond, streams, waiters",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[]},{'id':'a','sha256':'HASH','rules':[]}]} | keys[1].id: must differ from all earlier entries",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[]},{'id':'b','sha256':'HASH','rules':[]}]} | keys[1].sha256: must differ from all earlier entries",
                "{'keys':[{'id':'a','sha256':'HASH','rules':[]} | is not valid JSON"
            })
    void namesPlaceAndFixOfEachError(String text, String message) throws IOException {
        Path file = folder.resolve("keys.json");
        Files.writeString(file, text.replace('\'', '"').replace("HASH", KeysText.sha256(ALICE)));
        String why =
                assertInstanceOf(KeyStore.Refused.class, KeyStore.open(file)).why();
        assertTrue(why.startsWith(file.toString()) && why.contains(message), why);
        assertFalse(why.contains("canary") || why.contains("Exception") || why.contains("\n"), why);
    }

    @Test
    void namesTheLineOfAnError() throws IOException {
        Path file = write("{\n  \"keys\": [\n    {\"id\": \"a\",\n     \"sha256\": []}\n  ]\n}\n");
        String why =
                assertInstanceOf(KeyStore.Refused.class, KeyStore.open(file)).why();
        assertTrue(why.contains("line 4, keys[0].sha256: must be a string"), why);
    }

    static Object[][] invalidFiles() {
        return new Object[][] {
            {"a folder", (Misfit) Files::createDirectory, "is not a regular file"},
            {"nothing", (Misfit) path -> {}, "does not exist"},
            {"10 MB", (Misfit) path -> Files.write(path, new byte[10_000_000]), "must have at most 1048576 bytes"},
            {"a broken link", (Misfit) path -> Files.createSymbolicLink(path, Path.of("gone")), "does not exist"},
            {"latin-1", (Misfit) path -> Files.write(path, new byte[] {'"', (byte) 0xE9, '"'}), "must be UTF-8"},
            {
                "utf-16",
                (Misfit) path -> Files.writeString(path, "{\"keys\":[]}", StandardCharsets.UTF_16),
                "must be UTF-8"
            }
        };
    }

    private interface Misfit {
        void make(Path path) throws IOException;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidFiles")
    void rejectsPathsWithoutAKeysFile(String name, Misfit invalid, String message) throws IOException {
        Path path = folder.resolve("keys.json");
        invalid.make(path);
        assertEquals(new KeyStore.Refused(path + ": the file " + message), KeyStore.open(path));
    }

    @Test
    void rejectsDeepNesting() throws IOException {
        Path file = write("{\"keys\":" + "[".repeat(100_000));
        assertInstanceOf(KeyStore.Refused.class, KeyStore.open(file));
    }

    @Test
    void acceptsAFileWithoutKeys() throws IOException {
        KeyStore store = open(write("{\"keys\": []}"));
        assertEquals(0, store.keys());
        assertFalse(knows(store, ALICE));
    }

    @Test
    void detectsChangesOfEqualSizeAndTime() throws IOException {
        Path file = write(KeysText.file(KeysText.key("alice", ALICE, ":read")));
        FileTime time = Files.getLastModifiedTime(file);
        KeyStore store = open(file);
        write(KeysText.file(KeysText.key("alice", "x" + ALICE, ":read")));
        Files.setLastModifiedTime(file, time);
        store.look();
        assertTrue(!knows(store, ALICE) && knows(store, "x" + ALICE));
        assertEquals(1, store.reloads());
    }

    /** Kubernetes updates mounted secrets in this way. */
    @Test
    void followsSwappedLinks() throws IOException {
        Path old = Files.createDirectory(folder.resolve("..old"));
        Path fresh = Files.createDirectory(folder.resolve("..new"));
        Files.writeString(old.resolve("keys.json"), KeysText.file(KeysText.key("alice", ALICE, ":read")));
        Files.writeString(fresh.resolve("keys.json"), KeysText.file(KeysText.key("bob", BOB, ":read")));
        Path data = Files.createSymbolicLink(folder.resolve("..data"), old);
        Path file = Files.createSymbolicLink(folder.resolve("keys.json"), Path.of("..data", "keys.json"));
        KeyStore store = open(file);
        Path swapped = Files.createSymbolicLink(folder.resolve("..tmp"), fresh);
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE);
        store.look();
        assertTrue(!knows(store, ALICE) && knows(store, BOB));
    }

    @Test
    void keepsTheOldKeysIfAReloadFailsAndCountsItOnce() throws IOException {
        Path file = write(KeysText.file(KeysText.key("alice", ALICE, ":read")));
        KeyStore store = open(file);
        for (String broken : new String[] {"", "{\"keys\": [", "{\"keys\": [{}]}"}) {
            write(broken);
            store.look();
            store.look();
            assertTrue(knows(store, ALICE) && store.isStale());
        }
        Files.delete(file);
        store.look();
        assertTrue(knows(store, ALICE) && store.isStale());
        assertEquals(4, store.refusedReloads());
        write(KeysText.file(KeysText.key("bob", BOB, ":read")));
        store.look();
        assertTrue(!knows(store, ALICE) && knows(store, BOB) && !store.isStale());
    }

    @Test
    void isNotStaleAfterTheOldContentReturns() throws IOException {
        String good = KeysText.file(KeysText.key("alice", ALICE, ":read"));
        KeyStore store = open(write(good));
        write("");
        store.look();
        write(good);
        store.look();
        assertFalse(store.isStale());
    }

    @Test
    void doesNotRepeatKeysInMessages() throws IOException {
        Path file = write("{\"keys\": [{\"id\": \"a\", \"sha256\": \"" + CANARY + "\", \"" + CANARY + "\": 1}]}");
        Supplier<String> why = () -> KeyStore.open(file).toString();
        assertFalse(why.get().contains(CANARY), why);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("keys.json"), text);
    }

    private static KeyStore open(Path file) {
        return assertInstanceOf(KeyStore.Opened.class, KeyStore.open(file)).store();
    }

    private static boolean knows(KeyStore store, String key) {
        return store.ring().find(new Credentials(Optional.empty(), key)).isPresent();
    }
}
