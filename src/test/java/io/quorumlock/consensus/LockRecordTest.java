// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRecordTest {
    private static final LockRecord FIRST = new LockRecord(
            new LeaseToken("token-of-client-A"),
            "write1",
            0,
            Optional.empty(),
            Duration.ofSeconds(10),
            "",
            Duration.ofSeconds(10),
            Instant.ofEpochMilli(1_800_000_000_123L),
            Optional.of(new Owner("worker 1 ")));

    @Test
    void readsWhatItWrote() {
        assertEquals(Optional.of(FIRST), LockRecord.parse(FIRST.text()));
        LockRecord next = FIRST.extended("write2", new FencingToken(FencingToken.LARGEST), Duration.ofHours(24));
        assertEquals(Optional.of(next), LockRecord.parse(next.text()));
        LockRecord kept = next.kept(new FencingToken(1), Duration.ofSeconds(2));
        assertEquals(Optional.of(kept), LockRecord.parse(kept.text()));
        assertTrue(kept.isKept());
    }

    @Test
    void readsMarkOfSeveralNames() {
        ResourceNames two = new ResourceNames(List.of(new ResourceName("a"), new ResourceName("b")));
        LockRecord record = LockRecord.of(FIRST.token(), "write1", two, terms(FIRST.token()), Instant.EPOCH);
        assertEquals(two.mark(), record.names());
        assertEquals(Optional.of(record), LockRecord.parse(record.text()));
    }

    @Test
    void readsRecordWithoutOwner() {
        LockRecord record = new LockRecord(
                FIRST.token(),
                "write1",
                0,
                Optional.empty(),
                FIRST.ttl(),
                "",
                FIRST.lasts(),
                FIRST.since(),
                Optional.empty());
        assertEquals(Optional.of(record), LockRecord.parse(record.text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "token-of-client-A",
                "short write 0 0 1000 1000 0 owner",
                "token-of-client-A write x 0 1000 1000 0 owner",
                "token-of-client-A write 0 9999999999999999 1000 1000 0 owner"
            })
    void ignoresRecordsOfOtherPrograms(String text) {
        assertEquals(Optional.empty(), LockRecord.parse(text));
    }
}
