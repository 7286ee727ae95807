// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads of records that change before the reply. */
class LateReadsTest extends RecordsFixture {

    /** Otherwise the lease of a vanished holder would last longer (L1). */
    @Test
    void doesNotReplaceReportedVersion() {
        StoredRecord written = write();
        changeDuringRead(Change.replace(written, TEXT));
        records.changed(RESOURCE, written.revision() + 1);
        MonotonicTime reported = time.now();
        time.pass(SECOND.multipliedBy(2));
        assertEquals(
                reported,
                records.known(RESOURCE).orElseThrow().leases().get(0).first().since());
    }

    @Test
    void doesNotForgetReportedRecord() {
        changeDuringRead(Change.create(RESOURCE, TEXT));
        records.changed(RESOURCE, 1);
        MonotonicTime reported = time.now();
        time.pass(SECOND.multipliedBy(2));
        assertEquals(
                reported,
                records.known(RESOURCE).orElseThrow().leases().get(0).first().since());
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
        records.read(
                List.of(RESOURCE), complete -> found.add(records.known(RESOURCE).isPresent()));
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
        records.read(List.of(RESOURCE), complete -> found.add(records.isKnown(RESOURCE)));
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
        records.read(List.of(RESOURCE), complete -> {});
        time.pass(SECOND.dividedBy(2));
        store.connect().commit(List.of(change), reply -> {});
        time.pass(Duration.ZERO);
    }
}
