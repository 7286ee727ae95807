// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.RecordStore.Watcher;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.waiting.ReleaseSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a replica knows of the records, and since when. The reports come from the test. */
class RecordsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String TEXT =
            LockRecord.of(A, "write1", ResourceNames.of(RESOURCE), terms(A)).text();

    private final VirtualTime time = new VirtualTime();
    private final FakeRecordStore store = new FakeRecordStore(time, SECOND);
    private final FakeRecordStore.Connection connection = store.connect();
    private final Records records = new Records(connection, time);

    @Test
    void countsFromTheReportOfAVersion() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision());
        MonotonicTime reported = time.now();
        time.pass(SECOND);
        assertEquals(reported, read().since());
    }

    @Test
    void countsFromTheReadIfTheReportIsOfAnotherVersion() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision() - 1);
        time.pass(SECOND);
        assertEquals(time.now(), read().since());
    }

    /** Servers before ZooKeeper 3.9 do not send the revision. */
    @Test
    void countsFromTheReadIfTheRevisionIsUnknown() {
        write();
        read();
        time.pass(SECOND);
        records.changed(RESOURCE, Watcher.UNKNOWN);
        time.pass(SECOND);
        assertEquals(time.now(), read().since());
    }

    @Test
    void repeatedReadsDoNotStartTheCountAgain() {
        write();
        MonotonicTime first = read().since();
        time.pass(SECOND);
        records.exists(RESOURCE);
        assertEquals(first, read().since());
    }

    @Test
    void ignoresLateReportsOfEarlierWrites() {
        StoredRecord written = write();
        Sighting sighting = read();
        records.changed(RESOURCE, written.revision() - 1);
        records.removed(RESOURCE, written.revision() - 1);
        assertEquals(Optional.of(sighting), records.known(RESOURCE));
    }

    @Test
    void forgetsDeletedRecords() {
        StoredRecord written = write();
        read();
        records.removed(RESOURCE, written.revision() + 1);
        assertFalse(records.isKnown(RESOURCE));
    }

    /** The record may have been deleted after the attempt that found it. */
    @Test
    void announcesRecordThatIsAlreadyDeleted() {
        List<Integer> announced = watchReleases();
        time.pass(Duration.ZERO);
        assertEquals(List.of(0), announced);
    }

    @Test
    void announcesNothingWhileTheRecordExists() {
        write();
        read();
        List<Integer> announced = watchReleases();
        time.pass(Duration.ZERO);
        assertTrue(announced.isEmpty());
    }

    private List<Integer> watchReleases() {
        List<Integer> announced = new ArrayList<>();
        new RecordSignal(records, time.engineContext(1).loop()).watch(RESOURCE, new ReleaseSignal.Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                throw new AssertionError("the store does not know the replicas");
            }

            @Override
            public void missed(int master) {
                announced.add(master);
            }
        });
        return announced;
    }

    /** Writes the record after another one, so that its revision is not the smallest. */
    private StoredRecord write() {
        List<StoredRecord> written = new ArrayList<>();
        connection.commit(List.of(new Change.Create(new ResourceName("other"), TEXT)), reply -> {});
        connection.commit(
                List.of(new Change.Create(RESOURCE, TEXT)),
                reply -> written.addAll(((StoreReply.Committed) reply).written()));
        time.pass(Duration.ZERO);
        return written.get(0);
    }

    private Sighting read() {
        records.read(RESOURCE, reply -> {});
        time.pass(Duration.ZERO);
        return records.known(RESOURCE).orElseThrow();
    }
}
