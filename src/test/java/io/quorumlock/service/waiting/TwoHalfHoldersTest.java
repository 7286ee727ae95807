// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two clients repeat acquires, of which a replica that was killed left two votes each. One master is down. */
class TwoHalfHoldersTest {
    private static final int MOST_COMMANDS = 20;

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(10, 10));

    @Test
    void restBetweenAttempts() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        fleet.setFault(Fault.DOWN, 5);
        leaveVotes(A, 1, 2);
        leaveVotes(B, 3, 4);
        fleet.time.pass(Duration.ofMillis(5));
        acquire(A);
        acquire(B);
        int before = fleet.master(1).commands();
        fleet.time.pass(Duration.ofMillis(100));
        int commands = fleet.master(1).commands() - before;
        assertTrue(commands <= MOST_COMMANDS, () -> commands + " commands in 100 ms");
    }

    private void leaveVotes(LeaseToken token, int... masters) {
        for (int master : masters) {
            AcquireCommand command = new AcquireCommand(
                    ResourceNames.of(RESOURCE),
                    token,
                    "killed." + token.text(),
                    new FencingToken(1),
                    FakeFleet.terms(token),
                    OptionalInt.empty());
            fleet.master(master).acquire(command, reply -> {});
        }
    }

    private CompletableFuture<Acquisition> acquire(LeaseToken token) {
        return queues.acquire(
                RESOURCE,
                new AcquireTerms(
                        TTL, Duration.ofSeconds(30), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE));
    }
}
