// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.etcd.EtcdSettings.Login;
import io.quorumlock.fleet.PolledServer.State;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificates of both sides, and a user with a password. */
@Tag("tools")
class EtcdSecurityTest {
    private static final ResourceName NAME = new ResourceName("orders/42");
    private static final Login ROOT = new Login("root", "secret");
    private static final Login USER = new Login("quorumlock", "hidden");
    /** Keys that begin with the root and a slash, and no other. */
    private static final JsonObject PERMISSION = new JsonObject()
            .put("name", "locks")
            .put(
                    "perm",
                    new JsonObject()
                            .put("permType", "READWRITE")
                            .put("key", RecordKeys.encode("/secured/"))
                            .put("range_end", RecordKeys.encode("/secured0")));

    @TempDir
    Path files;

    private Certificate certificate;
    private Path key;

    @BeforeEach
    void createCertificate() {
        certificate = Certificate.of("localhost", files);
        key = files.resolve("key.pem");
        certificate.writeKey(key);
    }

    @Test
    void connectsWithClientCertificate() {
        HttpClientOptions options = trusting()
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.pem().toString())
                        .addKeyPath(key.toString()));
        try (EtcdCluster cluster = EtcdCluster.secured(certificate.pem(), key, Optional.of(certificate.pem()))) {
            writeAndRead(settings(cluster, Optional.empty(), options));
        }
    }

    @Test
    void connectsWithPassword() {
        try (EtcdCluster cluster = EtcdCluster.secured(certificate.pem(), key, Optional.empty())) {
            EtcdMember member = member(cluster, Optional.empty());
            Eventually.within(Duration.ofMinutes(1), "etcd does not answer", () -> succeeds(enablePasswords(member)));
            member.close();
            EtcdMember guessing = member(cluster, Optional.of(new Login("root", "guessed")));
            Future<Void> refused = guessing.login();
            assertFalse(succeeds(refused));
            assertTrue(refused.cause().getMessage().contains("invalid user ID or password"), () -> "" + refused);
            guessing.close();
            writeAndRead(settings(cluster, Optional.of(USER), trusting()));
            EtcdMember known = member(cluster, Optional.of(USER));
            State state = RealLoop.await(known.ask().toCompletableFuture());
            assertTrue(state.problem().isEmpty(), state::toString);
            known.close();
            EtcdMember root = member(cluster, Optional.of(ROOT));
            assertEquals(State.of("leader"), RealLoop.await(root.ask().toCompletableFuture()));
            root.close();
        }
    }

    private EtcdMember member(EtcdCluster cluster, Optional<Login> login) {
        return new EtcdMember(
                cluster.addresses().get(0), settings(cluster, login, trusting()), SharedEtcd.loop().vertx);
    }

    private HttpClientOptions trusting() {
        return new HttpClientOptions()
                .setTrustOptions(
                        new PemTrustOptions().addCertPath(certificate.pem().toString()));
    }

    private static EtcdSettings settings(EtcdCluster cluster, Optional<Login> login, HttpClientOptions options) {
        return new EtcdSettings(cluster.addresses(), "/secured", Duration.ofSeconds(10), login, options);
    }

    private static Future<JsonObject> enablePasswords(EtcdMember member) {
        JsonObject root = new JsonObject().put("name", "root");
        return member.post("/v3/kv/range", new JsonObject().put("key", "YQ=="))
                .compose(ready -> member.post("/v3/auth/user/add", root.copy().put("password", ROOT.password())))
                .compose(added -> member.post("/v3/auth/role/add", root))
                .compose(added -> member.post(
                        "/v3/auth/user/grant",
                        new JsonObject().put("user", "root").put("role", "root")))
                .compose(granted -> member.post(
                        "/v3/auth/user/add",
                        new JsonObject().put("name", USER.user()).put("password", USER.password())))
                .compose(added -> member.post("/v3/auth/role/add", new JsonObject().put("name", "locks")))
                .compose(added -> member.post("/v3/auth/role/grant", PERMISSION))
                .compose(granted -> member.post(
                        "/v3/auth/user/grant",
                        new JsonObject().put("user", USER.user()).put("role", "locks")))
                .compose(granted -> member.post("/v3/auth/enable", new JsonObject()));
    }

    private static boolean succeeds(Future<?> call) {
        return call.map(true)
                .otherwise(false)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private static void writeAndRead(EtcdSettings settings) {
        try (RealStore store = new RealStore(
                SharedEtcd.loop(), context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context))) {
            RecordStore records = store.connect(new RecordedReports());
            StoreReply written = store.ask(reply -> records.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            assertInstanceOf(StoreReply.Found.class, store.ask(reply -> records.read(NAME, reply)));
        }
    }
}
