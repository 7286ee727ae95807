// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.etcd.EtcdSettings.Login;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Eventually;
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
            EtcdMember member = new EtcdMember(cluster.addresses().get(0), trusting(), SharedEtcd.loop().vertx);
            Eventually.within(Duration.ofMinutes(1), "etcd does not answer", () -> succeeds(enablePasswords(member)));
            Future<Void> refused = member.login(new Login("root", "guessed"));
            assertFalse(succeeds(refused));
            assertTrue(refused.cause().getMessage().contains("invalid user ID or password"), () -> "" + refused);
            member.close();
            writeAndRead(settings(cluster, Optional.of(ROOT), trusting()));
        }
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
        try (RealStore<EtcdStore> store = new RealStore<>(
                SharedEtcd.loop(), context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context))) {
            RecordStore records = store.connect(new RecordedReports());
            StoreReply written = store.ask(reply -> records.commit(List.of(new Change.Create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            assertInstanceOf(StoreReply.Found.class, store.ask(reply -> records.read(NAME, reply)));
        }
    }
}
