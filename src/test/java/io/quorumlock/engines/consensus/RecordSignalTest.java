// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.testing.FakeRecordStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The announcements of releases to waiters. */
class RecordSignalTest extends RecordsFixture {
    private final RecordSignal signal = new RecordSignal(records, "replica", Runnable::run);
    private final List<String> announced = new ArrayList<>();

    /** The leader of ZooKeeper may be too slow for a read after it reported the change. */
    @Test
    void announcesReleaseIfChangedRecordCannotBeRead() {
        StoredRecord written = write();
        watch();
        connection.setFault(FakeRecordStore.Fault.SILENT);
        records.changed(RESOURCE, written.revision() + 1);
        time.pass(SECOND);
        assertEquals(List.of("released"), announced);
    }

    /** So that the queue makes no attempt only because it begins to watch. */
    @Test
    void missesNoReleaseOfLockThatIsHeldAlone() {
        records.restarted();
        write();
        read();
        watch();
        assertEquals(List.of("subscribed"), announced);
    }

    @Test
    void mayMissReleaseOfLockThatIsNotKnown() {
        records.restarted();
        watch();
        assertEquals(List.of("missed"), announced);
    }

    private void watch() {
        signal.watch(RESOURCE, new ReleaseSignal.Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                throw new AssertionError("a store has no fencing token of a release");
            }

            @Override
            public void released(int master) {
                announced.add("released");
            }

            @Override
            public void subscribed(int master, boolean missed) {
                announced.add(missed ? "missed" : "subscribed");
            }

            @Override
            public void lost(int master) {
                throw new AssertionError("the watch is not lost");
            }
        });
    }
}
