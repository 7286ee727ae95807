// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;

import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a replica knows of a fake store without a watch: the reports come from the test. */
abstract class RecordsFixture {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final String TEXT = text(ResourceNames.of(RESOURCE));

    final VirtualTime time = new VirtualTime();
    final FakeRecordStore store = new FakeRecordStore(time, SECOND);
    final FakeRecordStore.Connection connection = store.connect();
    final Records records = new Records(connection, FakeConsensus.TTL_MAX, time);

    /** Returns the record of a plain lock that {@code A} holds. */
    static String text(ResourceNames resources) {
        LeaseRecord lease = LeaseRecord.of(A, "write1", resources, terms(A), Instant.EPOCH);
        return RecordText.of(new LockRecord(LockKind.EXCLUSIVE, List.of(lease), Optional.empty(), List.of()));
    }

    /** Writes the record after another one, so that its revision is not the smallest. */
    final StoredRecord write() {
        List<StoredRecord> written = new ArrayList<>();
        connection.commit(List.of(Change.create(new ResourceName("other"), TEXT)), reply -> {});
        connection.commit(
                List.of(Change.create(RESOURCE, TEXT)),
                reply -> written.addAll(((StoreReply.Committed) reply).written()));
        time.pass(Duration.ZERO);
        return written.get(0);
    }

    final KnownLock read() {
        records.read(List.of(RESOURCE), complete -> {});
        time.pass(Duration.ZERO);
        return records.known(RESOURCE).orElseThrow();
    }

    /** Reads the record, and returns when this replica first knew of its write. */
    final MonotonicTime since() {
        return read().leases().get(0).first().since();
    }
}
