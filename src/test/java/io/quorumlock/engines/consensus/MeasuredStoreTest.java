// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredStoreTest {
    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final VirtualTime time = new VirtualTime();
    private final FakeRecordStore.Connection connection = new FakeRecordStore(time, TIMEOUT).connect();
    private final MasterLog log = new MasterLog();
    private final MeasuredStore store = new MeasuredStore(connection, time, log);

    @Test
    void tellsCallsWithoutConnectionFromLateOnes() {
        for (Fault fault : List.of(Fault.NONE, Fault.SILENT, Fault.DOWN)) {
            connection.setFault(fault);
            store.read(List.of(EngineFixture.RESOURCE), reply -> {});
            time.pass(TIMEOUT);
        }
        assertEquals(List.of("store read", "store timeout", "store disconnected"), log.lines);
    }
}
