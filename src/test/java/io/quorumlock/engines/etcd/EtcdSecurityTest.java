// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.Login;
import io.quorumlock.core.fleet.PolledServer.State;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with certificates of both sides, and a user with a password. */
@Tag("tools")
class EtcdSecurityTest {
    private static final ResourceName NAME = new ResourceName("orders/42");
    private static final Login ROOT = new Login("root", "secret");
    private static final int READ = 0;
    private static final int READ_AND_WRITE = 2;
    private static final Login USER = new Login("quorumlock", "hidden");
    private static final String SECURED = "/secured";

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
        try (EtcdCluster cluster = secured()) {
            enablePasswords(member(cluster, Optional.empty()), "");
            EtcdMember guessing = member(cluster, Optional.of(new Login("root", "guessed")));
            Throwable failure = RealLoop.await(range(guessing).handle((answer, refusal) -> refusal));
            assertTrue(failure.getMessage().contains("invalid user ID or password"), failure::toString);
            guessing.close();
            writeAndRead(settings(cluster, Optional.of(USER), trusting()));
            State state = ask(server(cluster, Optional.of(USER)));
            assertTrue(state.problem().isEmpty(), state::toString);
            assertEquals(State.of("leader"), ask(server(cluster, Optional.of(ROOT))));
        }
    }

    /** A change of the password ends the logins of the user. A token of JWT names the revision of all rights. */
    @ParameterizedTest
    @ValueSource(strings = {"simple", "jwt,sign-method=HS256,priv-key="})
    void logsInAgainAtOnce(String token) throws IOException {
        Files.writeString(key, "secret".repeat(10));
        try (EtcdCluster cluster = EtcdCluster.with("--auth-token", token + (token.endsWith("=") ? key : ""))) {
            enablePasswords(member(cluster, Optional.empty()), "");
            EtcdMember root = member(cluster, Optional.of(ROOT));
            EtcdServer server = server(cluster, Optional.of(USER));
            ask(server);
            try (RealStore store = store(settings(cluster, Optional.of(USER), new HttpClientOptions()))) {
                RecordStore records = store.connect(new RecordedReports());
                RealLoop.await(future(admin(root, "UserChangePassword", USER.user(), USER.password())));
                StoreReply written = store.ask(reply -> records.commit(List.of(Change.create(NAME, "text")), reply));
                assertInstanceOf(StoreReply.Committed.class, written);
                RealLoop.await(future(admin(root, "UserChangePassword", USER.user(), USER.password())));
                assertInstanceOf(StoreReply.Found.class, store.ask(reply -> records.read(List.of(NAME), reply)));
            }
            assertTrue(ask(server).problem().isEmpty());
            root.close();
        }
    }

    /** Also in versions that do not check the rights for nested changes. */
    @Test
    void changeWithoutRightRefusesNoOther() {
        try (EtcdCluster cluster = EtcdCluster.with()) {
            enablePasswords(member(cluster, Optional.empty()), "may/");
            try (RealStore store = store(settings(cluster, Optional.of(USER), new HttpClientOptions()))) {
                RecordStore records = store.connect(new RecordedReports());
                List<StoreReply> replies = create(store, records, "may/1", "not/1", "may/2");
                assertInstanceOf(StoreReply.Committed.class, replies.get(0));
                assertEquals(new StoreReply.Failed(Effect.NONE), replies.get(1));
                assertInstanceOf(StoreReply.Committed.class, replies.get(2));
            }
        }
    }

    private static List<StoreReply> create(RealStore store, RecordStore records, String... names) {
        List<CompletableFuture<StoreReply>> replies = Stream.of(names)
                .map(name -> Change.create(new ResourceName(name), "text"))
                .map(change -> store.send(reply -> records.commit(List.of(change), reply)))
                .toList();
        return replies.stream().map(RealLoop::await).toList();
    }

    /** More calls than connections, handshakes or event loops. */
    @Test
    void succeedsWithManyCallsAtOnce() {
        try (EtcdCluster cluster = secured();
                RealStore store = store(settings(cluster, Optional.empty(), trusting()))) {
            RecordStore records = store.connect(new RecordedReports());
            String[] names = IntStream.range(0, 200).mapToObj(i -> "burst/" + i).toArray(String[]::new);
            create(store, records, names).forEach(reply -> assertInstanceOf(StoreReply.Committed.class, reply));
        }
    }

    @Test
    void readsRenewedCertificates() throws IOException {
        try (EtcdCluster cluster = secured();
                RealStore store = store(settings(cluster, Optional.empty(), trusting()))) {
            RecordStore records = store.connect(new RecordedReports());
            EtcdServer server = server(cluster, Optional.empty());
            assertEquals(State.of("leader"), ask(server));
            cluster.kill(0);
            Path renewed = Files.createDirectory(files.resolve("renewed"));
            Certificate next = Certificate.of("localhost", renewed);
            Files.copy(next.pem(), certificate.pem(), StandardCopyOption.REPLACE_EXISTING);
            next.writeKey(key);
            cluster.start(0);
            Eventually.within(Duration.ofMinutes(1), "no state", () -> succeeds(server.ask()));
            Eventually.within(
                    Duration.ofMinutes(1), "no reply", () -> store.ask(reply -> records.read(List.of(NAME), reply))
                            .equals(new StoreReply.Found(List.of(Optional.empty()))));
            server.close();
        }
    }

    private EtcdCluster secured() {
        return EtcdCluster.secured(certificate.pem(), key, Optional.empty());
    }

    private EtcdServer server(EtcdCluster cluster, Optional<Login> login) {
        return new EtcdServer(
                cluster.addresses().get(0),
                settings(cluster, login, trusting()),
                new StoreMajority(1),
                SharedEtcd.loop().vertx);
    }

    private static State ask(EtcdServer server) {
        return RealLoop.await(server.ask().toCompletableFuture());
    }

    private EtcdMember member(EtcdCluster cluster, Optional<Login> login) {
        return new EtcdMember(
                cluster.addresses().get(0),
                settings(cluster, login, trusting()),
                new StoreMajority(1),
                SharedEtcd.loop().vertx);
    }

    private HttpClientOptions trusting() {
        return new HttpClientOptions()
                .setTrustOptions(
                        new PemTrustOptions().addCertPath(certificate.pem().toString()));
    }

    private static EtcdSettings settings(EtcdCluster cluster, Optional<Login> login, HttpClientOptions options) {
        return new EtcdSettings(cluster.addresses(), SECURED, false, Duration.ofSeconds(10), login, options);
    }

    private static CompletableFuture<Message> range(EtcdMember member) {
        return future(member.call(Requests.RANGE, Requests.range(ByteString.copyFromUtf8("a"))));
    }

    /** Lets the user read all records, and write those whose names begin with a prefix. */
    private static void enablePasswords(EtcdMember member, String prefix) {
        Eventually.within(Duration.ofMinutes(1), "etcd does not answer", () -> succeeds(range(member)));
        Future<Message> enabled = admin(member, "UserAdd", ROOT.user(), ROOT.password())
                .compose(added -> admin(member, "RoleAdd", "root"))
                .compose(added -> admin(member, "UserGrantRole", ROOT.user(), "root"))
                .compose(granted -> admin(member, "UserAdd", USER.user(), USER.password()))
                .compose(added -> admin(member, "RoleAdd", "locks"))
                .compose(added -> grant(member, READ, SECURED + "/", SECURED + "0"))
                // The key of the layout.
                .compose(granted -> grant(member, READ_AND_WRITE, SECURED + "/", SECURED + "/\0"))
                .compose(granted -> grant(member, READ_AND_WRITE, SECURED + "/" + prefix, SECURED + "/" + prefix + "~"))
                .compose(granted -> admin(member, "UserGrantRole", USER.user(), "locks"))
                .compose(granted -> admin(member, "AuthEnable"));
        RealLoop.await(future(enabled));
        member.close();
    }

    private static Future<Message> admin(EtcdMember member, String method, String... arguments) {
        return member.call("etcdserverpb.Auth/" + method, Message.of(out -> {
            for (int i = 0; i < arguments.length; i++) {
                out.writeString(i + 1, arguments[i]);
            }
        }));
    }

    private static Future<Message> grant(EtcdMember member, int right, String first, String end) {
        ByteString permission = Message.of(out -> {
            out.writeEnum(1, right);
            out.writeString(2, first);
            out.writeString(3, end);
        });
        return member.call("etcdserverpb.Auth/RoleGrantPermission", Message.of(out -> {
            out.writeString(1, "locks");
            out.writeBytes(2, permission);
        }));
    }

    private static boolean succeeds(CompletionStage<?> call) {
        return RealLoop.await(call.toCompletableFuture().handle((answer, failure) -> failure == null));
    }

    private static CompletableFuture<Message> future(Future<Message> call) {
        return call.toCompletionStage().toCompletableFuture();
    }

    private static RealStore store(EtcdSettings settings) {
        return new RealStore(
                SharedEtcd.loop(),
                context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context, new MasterLog()));
    }

    private static void writeAndRead(EtcdSettings settings) {
        try (RealStore store = store(settings)) {
            RecordStore records = store.connect(new RecordedReports());
            StoreReply written = store.ask(reply -> records.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            assertInstanceOf(StoreReply.Found.class, store.ask(reply -> records.read(List.of(NAME), reply)));
        }
    }
}
