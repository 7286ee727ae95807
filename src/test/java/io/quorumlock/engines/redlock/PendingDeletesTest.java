// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.PendingDeletes;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R14: pending deletes of an unreachable master are bounded, and a silent master is not flooded. */
@Proves({"N", "R5", "R14"})
class PendingDeletesTest {
    private static final int MOST = 10_000;
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration TTL = Duration.ofSeconds(60);

    private final VirtualTime time = new VirtualTime();
    private final FakeMaster master = new FakeMaster(time, NODE_TIMEOUT, 1);
    private final PendingDeletes<DeleteCondition, MasterReply> pendingDeletes = pendingDeletes(MOST);

    /** Values written before the master failed may exist; later ones cannot. */
    @Test
    void leavesNewestDeletesToTheirTtlWhenFull() {
        List<ResourceName> taken =
                Stream.of("oldest", "second", "newest").map(ResourceName::new).toList();
        taken.forEach(resource ->
                Ask.acquire(resource, TOKEN, "a1", TTL, Optional.empty()).put(master, reply -> {}));
        time.pass(Duration.ofMillis(1));
        master.setFault(FakeMaster.Fault.DOWN);
        PendingDeletes<DeleteCondition, MasterReply> two = pendingDeletes(2);
        taken.forEach(resource ->
                two.delete(DeleteCondition.ofLease(ResourceNames.of(resource), TOKEN), TTL, true, reply -> {}));
        assertEquals(2, two.pending());
        master.setFault(FakeMaster.Fault.NONE);
        time.pass(Duration.ofSeconds(2));
        assertEquals(List.of(taken.get(2)), taken.stream().filter(this::isHeld).toList());
    }

    private boolean isHeld(ResourceName resource) {
        List<MasterReply> replies = new ArrayList<>();
        master.inspect(resource, replies::add);
        time.pass(Duration.ofMillis(1));
        return replies.get(0) instanceof MasterReply.Held;
    }

    /** A failed retry is queued again after the queue has filled up. */
    @Test
    void failedRetriesCountTowardsTheBound() {
        master.setFault(FakeMaster.Fault.DOWN);
        add(MOST);
        master.setFault(FakeMaster.Fault.SILENT);
        time.pass(Duration.ofMillis(30));
        add(MOST);
        time.pass(Duration.ofSeconds(1));
        assertEquals(MOST, pendingDeletes.pending());
    }

    @Test
    void sendsOneBatchAtATimeToSilentMaster() {
        master.setFault(FakeMaster.Fault.DOWN);
        add(1_000);
        master.setFault(FakeMaster.Fault.SILENT);
        time.pass(Duration.ofSeconds(1));
        assertTrue(master.commands() <= 5 * 64, "sent " + master.commands());
    }

    @Test
    void sendsAllPendingDeletesAfterMasterReturns() {
        master.setFault(FakeMaster.Fault.DOWN);
        add(1_000);
        time.pass(Duration.ofSeconds(3));
        master.setFault(FakeMaster.Fault.NONE);
        time.pass(Duration.ofSeconds(1));
        assertEquals(0, pendingDeletes.pending());
    }

    /** A flood of releases without a lease must not grow the memory. */
    @Test
    void repeatsDeletesOfAbsentValuesUpToTheBound() {
        add(MOST + 5);
        time.pass(Duration.ofSeconds(2));
        assertEquals(MOST + 5 + MOST, master.commands());
        assertEquals(0, time.pending());
    }

    private PendingDeletes<DeleteCondition, MasterReply> pendingDeletes(int most) {
        EngineSettings settings =
                new EngineSettings(new Drift(0.01, Duration.ofMillis(2)), OptionalInt.empty(), TTL, NODE_TIMEOUT, most);
        return new PendingDeletes<>(master::release, CleanUp::result, settings, time.engineContext(1));
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            DeleteCondition condition = DeleteCondition.ofLease(
                    ResourceNames.of(RESOURCE), new LeaseToken("token-number-" + (100_000 + i)));
            pendingDeletes.delete(condition, TTL, true, reply -> {});
        }
    }
}
