// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads of records that change before the reply. The reports come from the test. */
class LateReadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String TEXT =
            LockRecord.of(A, "write1", ResourceNames.of(RESOURCE), terms(A)).text();

    private final VirtualTime time = new VirtualTime();
    private final FakeRecordStore store = new FakeRecordStore(time, SECOND);
    private final FakeRecordStore.Connection connection = store.connect();
    private final Records records = new Records(connection, time);

    /** Otherwise the lease of a vanished holder would last longer (L1). */
    @Test
    void doesNotReplaceReportedVersion() {
        StoredRecord written = write();
        changeDuringRead(Change.replace(written, TEXT));
        records.changed(RESOURCE, written.revision() + 1);
        MonotonicTime reported = time.now();
        time.pass(SECOND.multipliedBy(2));
        assertEquals(reported, records.known(RESOURCE).orElseThrow().since());
    }

    @Test
    void doesNotForgetReportedRecord() {
        changeDuringRead(Change.create(RESOURCE, TEXT));
        records.changed(RESOURCE, 1);
        MonotonicTime reported = time.now();
        time.pass(SECOND.multipliedBy(2));
        assertEquals(reported, records.known(RESOURCE).orElseThrow().since());
    }

    /** Otherwise its holder would be told that the lease is lost (S4). */
    @Test
    void findsRecordThatReplacedADeletedOne() {
        StoredRecord first = write();
        read();
        connection.answerAfter(SECOND);
        RecordStore other = store.connect();
        other.commit(List.of(Change.delete(first)), reply -> {});
        time.pass(Duration.ZERO);
        other.commit(List.of(Change.create(RESOURCE, TEXT)), reply -> {});
        time.pass(Duration.ZERO);
        List<Boolean> found = new ArrayList<>();
        records.read(RESOURCE, reply -> found.add(records.known(RESOURCE).isPresent()));
        time.pass(SECOND.dividedBy(2));
        records.removed(RESOURCE, first.revision() + 1);
        time.pass(SECOND.multipliedBy(3));
        assertEquals(List.of(true), found);
    }

    /** Otherwise a free lock would be held: there is no report yet. */
    @Test
    void readAfterDeleteFindsNothingAlthoughEarlierReadWasAnswered() {
        StoredRecord written = write();
        records.exists(RESOURCE);
        changeDuringRead(Change.delete(written));
        List<Boolean> found = new ArrayList<>();
        records.read(RESOURCE, reply -> found.add(records.isKnown(RESOURCE)));
        time.pass(SECOND.multipliedBy(3));
        assertEquals(List.of(false), found);
    }

    @Test
    void doesNotBringBackDeletedRecord() {
        StoredRecord written = write();
        read();
        changeDuringRead(Change.delete(written));
        records.removed(RESOURCE, written.revision() + 1);
        time.pass(SECOND.multipliedBy(3));
        assertFalse(records.isKnown(RESOURCE));
    }

    /** Begins a read whose reply is older than the change. */
    private void changeDuringRead(Change change) {
        connection.answerAfter(SECOND);
        records.read(RESOURCE, reply -> {});
        time.pass(SECOND.dividedBy(2));
        store.connect().commit(List.of(change), reply -> {});
        time.pass(Duration.ZERO);
    }

    /** Writes the record after another one, so that its revision is not the smallest. */
    private StoredRecord write() {
        List<StoredRecord> written = new ArrayList<>();
        connection.commit(List.of(Change.create(new ResourceName("other"), TEXT)), reply -> {});
        connection.commit(
                List.of(Change.create(RESOURCE, TEXT)),
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
