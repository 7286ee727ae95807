// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.ReleaseSignal;
import io.quorumlock.testing.FakeRecordStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The announcements of releases to waiters. */
class RecordSignalTest extends RecordsFixture {

    /** The leader of ZooKeeper may be too slow for a read after it reported the change. */
    @Test
    void announcesReleaseIfChangedRecordCannotBeRead() {
        StoredRecord written = write();
        AtomicInteger released = new AtomicInteger();
        RecordSignal signal = new RecordSignal(records, Runnable::run);
        signal.watch(RESOURCE, new ReleaseSignal.Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                throw new AssertionError("a store has no fencing token of a release");
            }

            @Override
            public void released(int master) {
                released.incrementAndGet();
            }

            @Override
            public void subscribed(int master) {}

            @Override
            public void lost(int master) {}
        });
        connection.setFault(FakeRecordStore.Fault.SILENT);
        records.changed(RESOURCE, written.revision() + 1);
        time.pass(SECOND);
        assertEquals(1, released.get());
    }
}
