// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** "shutting-down" means that nothing was written, also with a token chosen by the client. */
class GrantedAtShutdownTest {
    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(10, 10));

    /** The replica closes its queues in the turn of the loop between the grant and its outcome. */
    @Test
    void refusedWaiterLeavesNoLease() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        fleet.time.after(Duration.ofMillis(1), queues::close);
        CompletableFuture<Acquisition> answer = queues.acquire(
                RESOURCE,
                new AcquireTerms(TTL, Duration.ofSeconds(5), Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE));
        fleet.time.pass(Duration.ofSeconds(1));
        boolean refused = answer.getNow(null) instanceof Acquisition.ShuttingDown;
        assertEquals(refused ? 0 : 5, fleet.holding(), () -> "the client has " + answer.getNow(null));
    }
}
