// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.KnownVersions.Slice;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica knows of the records, and since when. */
class RecordsTest extends RecordsFixture {

    @Test
    void countsFromTheReportOfAVersion() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision());
        MonotonicTime reported = time.now();
        time.pass(SECOND);
        assertEquals(reported, since());
    }

    @Test
    void countsFromTheReadIfTheReportIsOfAnotherVersion() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision() - 1);
        time.pass(SECOND);
        assertEquals(time.now(), since());
    }

    /** Servers before ZooKeeper 3.9 do not send the revision. */
    @Test
    void countsFromTheReadIfTheRevisionIsUnknown() {
        write();
        records.changed(RESOURCE, Watcher.UNKNOWN);
        time.pass(SECOND);
        assertEquals(time.now(), since());
    }

    @Test
    void repeatedReadsDoNotStartTheCountAgain() {
        write();
        MonotonicTime first = since();
        time.pass(SECOND);
        records.exists(RESOURCE);
        assertEquals(first, since());
    }

    @Test
    void countOfVersionContinuesAfterReconnects() {
        write();
        MonotonicTime first = since();
        for (int i = 0; i < 3; i++) {
            reconnect(RESOURCE);
            time.pass(SECOND);
        }
        assertTrue(records.isUnread(RESOURCE));
        assertEquals(first, since());
    }

    /** Servers before ZooKeeper 3.9 do not send the revision. */
    @Test
    void countOfWriteContinuesIfAnotherVersionWasReportedBeforeTheReconnect() {
        write();
        MonotonicTime first = since();
        records.changed(RESOURCE, Watcher.UNKNOWN);
        time.pass(SECOND);
        reconnect(RESOURCE);
        assertEquals(first, since());
    }

    @Test
    void countOfVersionThatWasOnlyReportedContinuesAfterReconnect() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision());
        MonotonicTime reported = time.now();
        time.pass(SECOND);
        reconnect(RESOURCE);
        assertEquals(reported, since());
    }

    @Test
    void countOfWriteContinuesIfTheRecordChangesBeforeItIsReadAgain() {
        StoredRecord written = write();
        MonotonicTime first = since();
        reconnect(RESOURCE);
        time.pass(SECOND);
        connection.commit(List.of(Change.replace(written, TEXT)), reply -> {});
        records.changed(RESOURCE, written.revision() + 1);
        time.pass(SECOND);
        assertEquals(first, since());
    }

    @Test
    void countContinuesIfAReconnectIsCutWhileItNamesTheRecords() {
        write();
        MonotonicTime first = since();
        records.restarted();
        time.pass(SECOND);
        reconnect(RESOURCE);
        assertEquals(first, since());
    }

    @Test
    void countsFromTheReadIfTheRecordWasDeletedMeanwhile() {
        write();
        read();
        reconnect();
        assertFalse(records.isKnown(RESOURCE));
        time.pass(SECOND);
        reconnect(RESOURCE);
        assertEquals(time.now(), since());
    }

    /** For example, the end of a kept lock would be announced twice. */
    @Test
    void announcesNothingAgainAfterReconnect() {
        List<String> announced = watchRecords();
        write();
        read();
        reconnect(RESOURCE);
        read();
        reconnect();
        assertEquals(List.of("written 2", "restarted", "restarted"), announced);
    }

    private void reconnect(ResourceName... existing) {
        records.lost(time.now());
        records.restarted();
        List.of(existing).forEach(records::exists);
        records.listed();
    }

    @Test
    void ignoresLateReportsOfEarlierWrites() {
        StoredRecord written = write();
        KnownLock known = read();
        records.changed(RESOURCE, written.revision() - 1);
        records.removed(RESOURCE, written.revision() - 1);
        assertEquals(Optional.of(known), records.known(RESOURCE));
    }

    @Test
    void forgetsDeletedRecords() {
        StoredRecord written = write();
        read();
        records.removed(RESOURCE, written.revision() + 1);
        assertFalse(records.isKnown(RESOURCE));
    }

    @Test
    void recordIsUnreadUntilItsVersionIsRead() {
        StoredRecord written = write();
        records.exists(RESOURCE);
        assertEquals(List.of(), unread());
        time.pass(SECOND);
        assertEquals(List.of(RESOURCE), unread());
        read();
        records.changed(RESOURCE, written.revision());
        time.pass(SECOND);
        assertEquals(List.of(), unread());
    }

    /** On etcd, the reply to a call and the report of it have no order. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void announcesOwnCallsOnce(boolean reportFirst) {
        List<String> announced = watchRecords();
        inOrder(
                reportFirst,
                Change.create(RESOURCE, TEXT),
                () -> records.written(new StoredRecord(RESOURCE, TEXT, 1, "1")));
        StoredRecord written =
                records.known(RESOURCE).flatMap(KnownLock::stored).orElseThrow();
        inOrder(reportFirst, Change.delete(written), () -> records.removed(RESOURCE, 2));
        assertEquals(List.of("written 1", "removed true"), announced);
    }

    @Test
    void announcesFirstChangeOfRecordThatExistedBefore() {
        List<String> announced = watchRecords();
        StoredRecord written = write();
        records.exists(RESOURCE);
        read();
        records.exists(new ResourceName("other"));
        records.written(new StoredRecord(new ResourceName("other"), TEXT, written.revision() + 1, "3"));
        assertEquals(List.of("written " + (written.revision() + 1)), announced);
    }

    /** On etcd, the reply to a call may be later than the reports of it and of its end. */
    @Test
    void lateReplyDoesNotRestoreDeletedRecord() {
        List<String> announced = watchRecords();
        records.commit(List.of(Change.create(RESOURCE, TEXT)), List.of(), reply -> {});
        records.written(new StoredRecord(RESOURCE, TEXT, 1, "1"));
        records.removed(RESOURCE, 2);
        time.pass(Duration.ZERO);
        assertFalse(records.isKnown(RESOURCE));
        assertEquals(List.of("written 1", "removed true"), announced);
    }

    private List<ResourceName> unread() {
        Slice<ResourceName> all = records.unread(SECOND, Optional.empty());
        assertEquals(Optional.empty(), all.last());
        return all.found();
    }

    /** A search of a million records at once would delay other calls for 0.1 s. */
    @Test
    void searchesRecordsInSlices() {
        int size = KnownVersions.SLICE_SIZE;
        List<ResourceName> names = IntStream.range(0, 2 * size + 1)
                .mapToObj(i -> new ResourceName(Integer.toString(10 * size + i)))
                .toList();
        names.forEach(records::exists);
        time.pass(SECOND);
        List<ResourceName> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Optional<ResourceName> last = Optional.empty();
        do {
            Slice<ResourceName> slice = records.unread(SECOND, last);
            sizes.add(slice.found().size());
            found.addAll(slice.found());
            last = slice.last();
        } while (last.isPresent());
        assertEquals(List.of(size, size, 1), sizes);
        assertEquals(names, found);
    }

    private List<String> watchRecords() {
        List<String> announced = new ArrayList<>();
        records.add(new RecordListener() {
            @Override
            public void restarted() {
                announced.add("restarted");
            }

            @Override
            public void written(Optional<KnownLock> before, KnownLock now) {
                announced.add("written " + now.stored().orElseThrow().revision());
            }

            @Override
            public void removed(ResourceName name, Optional<KnownLock> last) {
                announced.add("removed " + last.isPresent());
            }
        });
        return announced;
    }

    private void inOrder(boolean reportFirst, Change change, Runnable report) {
        if (reportFirst) {
            report.run();
        }
        records.commit(List.of(change), List.of(), reply -> {});
        time.pass(Duration.ZERO);
        if (!reportFirst) {
            report.run();
        }
    }
}
