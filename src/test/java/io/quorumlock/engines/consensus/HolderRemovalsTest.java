// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.UniqueIds;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Removals of holders in the background. */
class HolderRemovalsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final EngineSettings SETTINGS =
            new EngineSettings(new Drift(0.01, Duration.ofMillis(2)), OptionalInt.empty(), SECOND, SECOND);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final ResourceName OTHER = new ResourceName("other");

    private final VirtualTime time = new VirtualTime();
    private final FakeRecordStore store = new FakeRecordStore(time, SECOND);
    private final FakeRecordStore.Connection connection = store.connect();

    /** A transaction without a reply can take effect between the reads of its records (R5, A). */
    @Test
    void findsRecordsThatAppearLater() {
        write(OTHER);
        connection.answerAfter(SECOND);
        OperationQueues queues = new OperationQueues(
                new Records(connection, FakeConsensus.TTL_MAX, time), SECOND, time.engineContext(1));
        HolderRemovals removals =
                new HolderRemovals(queues, new UniqueIds(new Random(1)), SETTINGS, time.engineContext(1));
        removals.start(
                HolderRemoval.delete(new ResourceNames(List.of(RESOURCE, OTHER)), Set.of(A), lease -> true, MINUTE));
        time.pass(SECOND.plusMillis(200));
        write(RESOURCE);
        time.pass(SECOND.multipliedBy(20));
        assertEquals(0, removals.pending());
        assertEquals(0, store.size());
    }

    private void write(ResourceName name) {
        store.connect().commit(List.of(Change.create(name, RecordsFixture.text(ResourceNames.of(name)))), reply -> {});
        time.pass(Duration.ZERO);
    }
}
