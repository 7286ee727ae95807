// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the engine needs of every store. */
@Proves({"S3", "S4"})
public abstract class RecordStoreContract {
    private static final ResourceName NAME = new ResourceName("orders/42");
    private static final ResourceName OTHER = new ResourceName("orders/43");

    private final StoreFixture fixture = fixture();
    private final RecordedReports reports = new RecordedReports();
    private final RecordStore store = fixture.connect(reports);
    private final RecordedReports otherReports = new RecordedReports();
    private final RecordStore otherStore = fixture.connect(otherReports);

    protected abstract StoreFixture fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void createsRecordOnce() {
        StoredRecord created = create(NAME, "first");
        assertEquals("first", created.text());
        assertConflict(otherStore, Change.create(NAME, "second"));
        assertEquals(Optional.of(created), read(store, NAME));
        assertEquals(Optional.of(created), read(otherStore, NAME));
    }

    @Test
    void replacesOnlyTheVersionThatWasRead() {
        StoredRecord first = create(NAME, "first");
        StoredRecord second = written(commit(store, Change.replace(first, "second")));
        assertConflict(otherStore, Change.replace(first, "third"));
        assertEquals(Optional.of(second), read(otherStore, NAME));
    }

    @Test
    void deletesOnlyTheVersionThatWasRead() {
        StoredRecord first = create(NAME, "first");
        StoredRecord second = written(commit(store, Change.replace(first, "second")));
        assertConflict(store, Change.delete(first));
        assertEquals(new StoreReply.Committed(List.of()), commit(otherStore, Change.delete(second)));
        assertEquals(Optional.empty(), read(store, NAME));
        assertConflict(store, Change.delete(second));
    }

    /** Otherwise a late change could affect the next holder. */
    @Test
    void versionsOfDeletedRecordNeverMatchAgain() {
        StoredRecord first = create(NAME, "text");
        commit(store, Change.delete(first));
        StoredRecord next = create(NAME, "text");
        assertConflict(otherStore, Change.replace(first, "late"));
        assertConflict(otherStore, Change.delete(first));
        assertEquals(Optional.of(next), read(store, NAME));
    }

    /** S3 */
    @Test
    void laterWriteHasLargerRevision() {
        StoredRecord first = create(NAME, "text");
        StoredRecord second = create(OTHER, "text");
        StoredRecord third = written(commit(otherStore, Change.replace(first, "text")));
        commit(store, Change.delete(third));
        StoredRecord fourth = create(NAME, "text");
        assertTrue(first.revision() < second.revision());
        assertTrue(second.revision() < third.revision());
        assertTrue(third.revision() < fourth.revision());
    }

    @Test
    void commitsAllChangesOrNone() {
        StoredRecord old = create(NAME, "old");
        StoredRecord other = create(OTHER, "other");
        assertConflict(store, Change.replace(old, "new"), Change.create(OTHER, "again"));
        commit(store, Change.delete(other));
        assertEquals(Optional.of(old), read(store, NAME));
        StoreReply.Committed committed = assertInstanceOf(
                StoreReply.Committed.class, commit(store, Change.delete(old), Change.create(OTHER, "other")));
        assertEquals(
                List.of(OTHER),
                committed.written().stream().map(StoredRecord::name).toList());
        assertEquals(Optional.empty(), read(store, NAME));
    }

    /** A store may send them together. */
    @Test
    void answersChangesOfOneTurnOneByOne() {
        StoredRecord old = create(NAME, "old");
        List<ResourceName> names = IntStream.range(0, ResourceNames.MOST)
                .mapToObj(i -> new ResourceName("set/" + i))
                .toList();
        List<StoreReply> replies = new ArrayList<>();
        StoreReply last = ask(reply -> {
            store.commit(List.of(Change.create(OTHER, "text")), replies::add);
            store.commit(List.of(Change.create(NAME, "again")), replies::add);
            store.commit(List.of(Change.replace(old, "new")), replies::add);
            store.commit(List.of(Change.delete(old)), replies::add);
            for (int i = 0; i < 100; i++) {
                store.commit(List.of(Change.create(new ResourceName("one/" + i), "text")), replies::add);
            }
            store.commit(names.stream().map(name -> Change.create(name, "text")).toList(), reply);
        });
        assertEquals(
                ResourceNames.MOST,
                assertInstanceOf(StoreReply.Committed.class, last).written().size());
        assertEquals(104, replies.size());
        for (int i = 0; i < replies.size(); i++) {
            Class<?> expected = i == 1 || i == 3 ? StoreReply.Conflict.class : StoreReply.Committed.class;
            assertInstanceOf(expected, replies.get(i));
        }
        assertEquals(Optional.of(written(replies.get(2))), read(otherStore, NAME));
    }

    @Test
    void keepsEveryNameAndText() {
        List<ResourceName> names = List.of(
                new ResourceName("a b+c%2F"),
                new ResourceName("x".repeat(512)),
                new ResourceName("é/\ud83d\ude00/\ue000"));
        names.forEach(name -> create(name, "owner of " + name));
        names.forEach(name -> assertEquals(
                "owner of " + name, read(otherStore, name).orElseThrow().text()));
        RecordedReports late = new RecordedReports();
        fixture.settle(fixture.connect(late));
        assertEquals(Set.copyOf(names), Set.copyOf(late.existing()));
    }

    /** As many readers as a lock can have, whose tokens and owners are as long as they can be. */
    @Test
    void keepsLargestRecord() {
        List<LeaseRecord> readers = IntStream.range(0, Admission.MOST_HOLDERS)
                .mapToObj(RecordStoreContract::largestLease)
                .toList();
        LockRecord largest = new LockRecord(LockKind.SHARED, readers, Optional.empty(), List.of());
        StoredRecord first = create(NAME, "text");
        StoredRecord second = written(commit(store, Change.replace(first, RecordText.of(largest))));
        StoredRecord found = read(otherStore, NAME).orElseThrow();
        assertEquals(Optional.of(largest), RecordText.parse(found.text()));
        fixture.settle(store);
        assertTrue(reports.distinct().contains("changed orders/42 " + second.revision()));
    }

    /** A quotation mark needs two bytes in JSON, and the sign of the Euro three. */
    private static LeaseRecord largestLease(int number) {
        LeaseToken token = new LeaseToken("\"".repeat(124) + (1_000 + number));
        Optional<Owner> owner = Optional.of(new Owner("\u20ac".repeat(128)));
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        return LeaseRecord.of(token, "", ResourceNames.of(NAME), terms(LockKind.SHARED, token, owner), since)
                .writtenAt(FencingToken.LARGEST)
                .rewritten("x".repeat(24), Duration.ofDays(1).minusNanos(1))
                .extended()
                .released()
                .writtenAt(FencingToken.LARGEST);
    }

    @Test
    void readsSeveralRecordsAtOnce() {
        List<ResourceName> names = IntStream.range(0, RecordStore.MOST_READS)
                .mapToObj(i -> new ResourceName("set/" + i))
                .toList();
        List<Optional<StoredRecord>> written = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            written.add(i % 3 == 0 ? Optional.empty() : Optional.of(create(names.get(i), "text " + i)));
        }
        assertEquals(written, readAll(otherStore, names));
    }

    @Test
    void reportsChangesOfAllConnections() {
        StoredRecord first = create(NAME, "first");
        StoredRecord second = written(commit(otherStore, Change.replace(first, "second")));
        commit(otherStore, Change.delete(second));
        fixture.settle(store);
        assertEquals(
                List.of(
                        "restarted",
                        "listed",
                        "changed orders/42 " + first.revision(),
                        "changed orders/42 " + second.revision(),
                        "removed orders/42"),
                reports.distinct());
    }

    @Test
    void reportsExistingRecordsAtStart() {
        create(NAME, "text");
        RecordedReports late = new RecordedReports();
        fixture.settle(fixture.connect(late));
        assertEquals(List.of("restarted", "exists orders/42", "listed"), late.distinct());
    }

    @Test
    void keepsUptimeApartFromRecords() {
        StoredUptime none = reports.uptime();
        StoredRecord before = create(NAME, "text");
        store.writeUptime(none, "first");
        StoredUptime first = awaitUptime("first", reports);
        assertTrue(first.revision() > before.revision());
        assertTrue(create(OTHER, "text").revision() > first.revision());
        otherStore.writeUptime(none, "of a replica that did not read the first");
        assertEquals(first, awaitUptime("first", otherReports));
        otherStore.writeUptime(first, "second");
        awaitUptime("second", otherReports);
        RecordedReports late = new RecordedReports();
        fixture.settle(fixture.connect(late));
        assertEquals("second", late.uptime().text());
        assertEquals(Set.of(NAME, OTHER), Set.copyOf(late.existing()));
    }

    private StoredUptime awaitUptime(String text, RecordedReports of) {
        Eventually.holds(text, () -> {
            fixture.settle(store);
            return of.uptime().text().equals(text);
        });
        return of.uptime();
    }

    private StoredRecord create(ResourceName name, String text) {
        return written(commit(store, Change.create(name, text)));
    }

    private static StoredRecord written(StoreReply reply) {
        return assertInstanceOf(StoreReply.Committed.class, reply).written().get(0);
    }

    /** A store that tells the records of a conflict tells what a read does. */
    private void assertConflict(RecordStore through, Change... changes) {
        List<Optional<StoredRecord>> present = assertInstanceOf(StoreReply.Conflict.class, commit(through, changes))
                .present();
        for (int i = 0; i < present.size(); i++) {
            assertEquals(read(through, changes[i].name()), present.get(i));
        }
    }

    private StoreReply commit(RecordStore through, Change... changes) {
        return ask(reply -> through.commit(List.of(changes), reply));
    }

    private Optional<StoredRecord> read(RecordStore through, ResourceName name) {
        return readAll(through, List.of(name)).get(0);
    }

    private List<Optional<StoredRecord>> readAll(RecordStore through, List<ResourceName> names) {
        return assertInstanceOf(StoreReply.Found.class, ask(reply -> through.read(names, reply)))
                .records();
    }

    private StoreReply ask(Consumer<Consumer<StoreReply>> call) {
        return fixture.ask(call);
    }
}
