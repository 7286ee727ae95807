// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTextTest {
    private static final LeaseRecord FIRST =
            holder("token-of-client-A", "write1", Optional.of(new Owner("worker \"1\" ")));

    private static LeaseRecord holder(String token, String write, Optional<Owner> owner) {
        return new LeaseRecord(
                new LeaseToken(token),
                write,
                0,
                false,
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Instant.ofEpochMilli(1),
                new ResourceNames(List.of(new ResourceName("a"), new ResourceName("b"))).mark(),
                OptionalInt.empty(),
                owner,
                false);
    }

    @Test
    void readsWhatItWrote() {
        assertRead(LockRecord.FREE.with(FIRST));
        LeaseRecord next = FIRST.rewritten("write2", new FencingToken(FencingToken.LARGEST), Duration.ofHours(24))
                .extended();
        assertRead(LockRecord.FREE.with(next));
        assertRead(LockRecord.FREE.with(next.rewritten("write3", new FencingToken(1), Duration.ofSeconds(2))
                .released()));
    }

    @Test
    void readsSeveralHolders() {
        LeaseRecord other = holder("token-of-client-B", "write2", Optional.empty());
        LockRecord semaphore =
                LockRecord.FREE.ofKind(LockKind.ofSlots(64)).with(FIRST.in(63)).with(other.in(0));
        assertRead(semaphore);
        Reservation reservation = new Reservation("replica1", "write3", Duration.ofSeconds(2));
        assertRead(
                LockRecord.FREE.ofKind(LockKind.SHARED).with(FIRST).with(other).with(reservation));
        assertRead(LockRecord.FREE.ofKind(LockKind.SHARED).with(reservation));
    }

    /** An operator reads it with the tools of the store. */
    @Test
    void isJson() {
        assertEquals(
                "{\"holders\":[{\"token\":\"token-of-client-B\",\"write\":\"w\",\"ttlMs\":10000,\"sinceMs\":1,\"names\":\"/2=a,b\"}]}",
                RecordText.of(LockRecord.FREE.with(holder("token-of-client-B", "w", Optional.empty()))));
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
