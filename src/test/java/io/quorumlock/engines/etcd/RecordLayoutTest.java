// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedEtcd;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Roots with which a replica must not work. */
@Tag("tools")
@Proves({"R1", "R2"})
class RecordLayoutTest {
    private EtcdSettings settings;
    private EtcdMember member;
    private EtcdStore store;

    @BeforeEach
    void open() {
        settings = TestStores.settings();
        member = new EtcdMember(settings.members().get(0), settings, new StoreMajority(1), SharedEtcd.loop().vertx);
        Eventually.holds(
                "etcd does not answer",
                () -> RealLoop.await(member.call(Requests.RANGE, Requests.range(ByteString.copyFromUtf8("key")))
                        .map(true)
                        .otherwise(false)
                        .toCompletionStage()
                        .toCompletableFuture()));
        store = new EtcdStore(settings, SharedEtcd.loop().vertx, SharedEtcd.loop().engineContext, new MasterLog());
    }

    @AfterEach
    void close() {
        if (store != null) {
            RealLoop.await(store.close());
            member.close();
        }
    }

    /** It would not understand the records of replicas of the other version. */
    @Test
    void refusesRootWithOtherLayout() {
        put("/", "0");
        assertRefused("the root has records with the layout 0, but this version of the service needs the layout 1");
    }

    @Test
    void refusesRecordsWithoutLayout() {
        put("/orders", "{}");
        assertRefused("the root has records with no version of their layout");
    }

    /** As the start does, although it writes nothing. */
    @Test
    void checkRefusesRecordsWithoutLayout() {
        put("/orders", "{}");
        EtcdSettings reading = new EtcdSettings(
                settings.members(), settings.root(), true, settings.timeout(), settings.login(), settings.options());
        store = new EtcdStore(reading, SharedEtcd.loop().vertx, SharedEtcd.loop().engineContext, new MasterLog());
        assertRefused("the root has records with no version of their layout");
    }

    @Test
    void writesLayoutOfEmptyRoot() {
        watch();
        RealLoop.await(store.firstReady());
        Message read = call(Requests.RANGE, Requests.range(ByteString.copyFromUtf8(settings.root() + "/")));
        assertEquals(Optional.of(RecordLayout.VERSION), RecordKeys.text(read));
    }

    private void assertRefused(String reason) {
        watch();
        Eventually.holds(() -> "not refused: " + store.problem(), () -> store.problem()
                .filter(problem -> problem.startsWith(reason))
                .isPresent());
        assertFalse(store.firstReady().isDone());
    }

    private void watch() {
        SharedEtcd.loop().engineContext.loop().execute(() -> store.watch(new RecordedReports()));
    }

    private void put(String key, String text) {
        call("etcdserverpb.KV/Put", Message.of(out -> {
            out.writeString(1, settings.root() + key);
            out.writeString(2, text);
        }));
    }

    private Message call(String method, ByteString request) {
        return RealLoop.await(member.call(method, request).toCompletionStage().toCompletableFuture());
    }
}
