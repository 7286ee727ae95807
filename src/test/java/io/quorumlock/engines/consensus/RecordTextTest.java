// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.consensus.LockRecord.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTextTest {
    private static final ResourceNames TWO = new ResourceNames(List.of(new ResourceName("a"), new ResourceName("b")));
    private static final LeaseRecord FIRST = lease(A, "write1", TWO, Optional.of(new Owner("worker \"1\" ")));
    private static final LeaseRecord OTHER =
            lease(B, "write2", ResourceNames.of(new ResourceName("a")), Optional.empty());
    private static final Reservation RESERVATION = new Reservation("replica1", "write3", Duration.ofSeconds(2));

    private static LeaseRecord lease(LeaseToken token, String write, ResourceNames names, Optional<Owner> owner) {
        return LeaseRecord.of(token, write, names, terms(token, owner), Instant.ofEpochMilli(1));
    }

    @Test
    void readsWhatItWrote() {
        assertRead(LockKind.EXCLUSIVE, FIRST);
        assertRead(LockKind.EXCLUSIVE, FIRST.writtenAt(7));
        LeaseRecord next = FIRST.writtenAt(FencingToken.LARGEST)
                .rewritten("write2", Duration.ofHours(24))
                .extended();
        assertRead(LockKind.EXCLUSIVE, next);
        assertRead(LockKind.EXCLUSIVE, next.writtenAt(8));
        assertRead(
                LockKind.EXCLUSIVE,
                next.rewritten("write3", Duration.ofSeconds(2)).released());
    }

    @Test
    void readsReplicasThatWait() {
        List<String> waiting = List.of("replica1", "replica2");
        assertRead(new LockRecord(LockKind.EXCLUSIVE, List.of(FIRST), Optional.empty(), waiting));
    }

    @Test
    void readsSeveralHolders() {
        assertRead(LockKind.ofSlots(64), FIRST.in(63), OTHER.in(0));
        assertRead(new LockRecord(LockKind.SHARED, List.of(FIRST, OTHER), Optional.of(RESERVATION), List.of()));
        assertRead(new LockRecord(LockKind.SHARED, List.of(), Optional.of(RESERVATION), List.of()));
    }

    /** An operator reads it with the tools of the store. Raise the version of the layout with each change of these texts. */
    @Test
    void isJson() {
        assertEquals("1", RecordLayout.VERSION);
        assertEquals(
                "{\"holders\":[{\"token\":\"token-of-client-A\",\"write\":\"write1\",\"ttlMs\":10000,\"sinceMs\":1,"
                        + "\"names\":\"/2=a,b\",\"owner\":\"worker \\\"1\\\" \"}]}",
                text(LockKind.EXCLUSIVE, List.of(FIRST), Optional.empty()));
        LeaseRecord kept = OTHER.writtenAt(7)
                .rewritten("write4", Duration.ofSeconds(1))
                .extended()
                .released()
                .writtenAt(8);
        assertEquals(
                "{\"kind\":\"shared\",\"holders\":[{\"token\":\"token-of-client-B\",\"write\":\"write4\",\"extensions\":1,"
                        + "\"renewed\":true,\"fence\":7,\"ttlMs\":10000,\"lastsNs\":1000000000,\"sinceMs\":1,\"kept\":true,\"revision\":8}],"
                        + "\"reservation\":{\"replica\":\"replica1\",\"write\":\"write3\",\"lastsNs\":2000000000}}",
                text(LockKind.SHARED, List.of(kept), Optional.of(RESERVATION)));
        assertEquals(
                "{\"slots\":2,\"holders\":[{\"token\":\"token-of-client-B\",\"write\":\"write2\",\"ttlMs\":10000,\"sinceMs\":1,"
                        + "\"slot\":1}]}",
                text(LockKind.ofSlots(2), List.of(OTHER.in(1)), Optional.empty()));
        assertEquals(
                "{\"holders\":[],\"waiting\":[\"replica1\"]}",
                RecordText.of(new LockRecord(LockKind.EXCLUSIVE, List.of(), Optional.empty(), List.of("replica1"))));
    }

    private static String text(LockKind kind, List<LeaseRecord> leases, Optional<Reservation> reservation) {
        return RecordText.of(new LockRecord(kind, leases, reservation, List.of()));
    }

    private static void assertRead(LockKind kind, LeaseRecord... leases) {
        assertRead(new LockRecord(kind, List.of(leases), Optional.empty(), List.of()));
    }

    private static void assertRead(LockRecord record) {
        assertEquals(Optional.of(record), RecordText.parse(RecordText.of(record)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "token-of-client-A",
                "[]",
                "{}",
                "{\"holders\":[{}]}",
                "{\"holders\":[{\"token\":\"short\",\"write\":\"w\",\"ttlMs\":1000}]}",
                "{\"holders\":[{\"token\":\"token-of-client-A\",\"ttlMs\":1000}]}",
                "{\"holders\":[],\"reservation\":{\"replica\":\"r\"}}"
            })
    void ignoresRecordsOfOtherPrograms(String text) {
        assertEquals(Optional.empty(), RecordText.parse(text));
    }
}
