// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An etcd whose quota is exceeded. */
@Tag("tools")
class EtcdSpaceTest {
    private static final StoreReply UNKNOWN = new StoreReply.Failed(Effect.UNKNOWN);
    private static final StoreReply NO_EFFECT = new StoreReply.Failed(Effect.NONE);

    /** Also in versions that do not count the space for nested changes. */
    @Test
    void groupsNeedSpace() {
        try (EtcdCluster cluster = EtcdCluster.with("--quota-backend-bytes", "1000000");
                RealStore store = store(cluster)) {
            RecordStore records = store.connect(new RecordedReports());
            Change large = Change.create(new ResourceName("large"), "x".repeat(1_200_000));
            assertEquals(UNKNOWN, store.ask(reply -> records.commit(List.of(large), reply)));
            create(store, records, "a", 3).values().forEach(reply -> assertEquals(UNKNOWN, RealLoop.await(reply)));
        }
    }

    /** The changes that exceed the quota are made, so no answer may deny it. Which ones do so depends on the moment. */
    @Test
    void noRecordExistsWhoseWriteHadNoEffect() {
        try (EtcdCluster cluster = EtcdCluster.with("--quota-backend-bytes", "4000000", "--backend-batch-limit", "1");
                RealStore store = store(cluster)) {
            List<RecordStore> replicas = IntStream.range(0, 8)
                    .mapToObj(i -> store.connect(new RecordedReports()))
                    .toList();
            Map<ResourceName, StoreReply> replies = new HashMap<>();
            for (int round = 0; replies.values().stream().allMatch(StoreReply.Committed.class::isInstance); round++) {
                Map<ResourceName, CompletableFuture<StoreReply>> sent = new HashMap<>();
                for (RecordStore replica : replicas) {
                    sent.putAll(create(store, replica, round + "/" + replicas.indexOf(replica), 24));
                }
                sent.forEach((name, reply) -> replies.put(name, RealLoop.await(reply)));
                assertTrue(round < 1_000, "etcd never refused");
            }
            RecordedReports present = new RecordedReports();
            store.connect(present);
            present.existing().forEach(name -> assertNotEquals(NO_EFFECT, replies.get(name)));
        }
    }

    /** A full store still takes deletes, so that locks can be released. */
    @Test
    void deletesNeedNoSpace() {
        try (EtcdCluster cluster = EtcdCluster.with("--quota-backend-bytes", "2000000");
                RealStore store = store(cluster)) {
            RecordStore records = store.connect(new RecordedReports());
            Map<ResourceName, StoreReply> replies = new HashMap<>();
            for (int round = 0; !replies.containsValue(UNKNOWN); round++) {
                create(store, records, "round-" + round, 50)
                        .forEach((name, reply) -> replies.put(name, RealLoop.await(reply)));
                assertTrue(round < 1_000, "etcd never refused");
            }
            List<StoredRecord> written = replies.values().stream()
                    .filter(StoreReply.Committed.class::isInstance)
                    .flatMap(reply -> ((StoreReply.Committed) reply).written().stream())
                    .limit(20)
                    .toList();
            List<CompletableFuture<StoreReply>> writes = new ArrayList<>();
            List<CompletableFuture<StoreReply>> deletes = new ArrayList<>();
            for (StoredRecord record : written) {
                writes.addAll(create(store, records, "late-" + record.name(), 1).values());
                deletes.add(store.send(reply -> records.commit(List.of(Change.delete(record)), reply)));
            }
            writes.forEach(reply -> assertEquals(UNKNOWN, RealLoop.await(reply)));
            deletes.forEach(reply -> assertEquals(new StoreReply.Committed(List.of()), RealLoop.await(reply)));
        }
    }

    private static Map<ResourceName, CompletableFuture<StoreReply>> create(
            RealStore store, RecordStore records, String prefix, int number) {
        Map<ResourceName, CompletableFuture<StoreReply>> replies = new HashMap<>();
        for (int i = 0; i < number; i++) {
            Change change = Change.create(new ResourceName(prefix + "/" + i), "text".repeat(250));
            replies.put(change.name(), store.send(reply -> records.commit(List.of(change), reply)));
        }
        return replies;
    }

    private static RealStore store(EtcdCluster cluster) {
        EtcdSettings settings = new EtcdSettings(
                cluster.addresses(), "/full", false, Duration.ofSeconds(10), Optional.empty(), new HttpClientOptions());
        return new RealStore(
                SharedEtcd.loop(),
                context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context, new MasterLog()));
    }
}
