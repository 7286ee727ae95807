// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.FakeSignal;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waiting for held locks costs, and what queues do when subscriptions end and begin again. */
@Proves("R12")
class SleepingQueuesTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration ROUND_TRIP = Duration.ofMillis(3);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MANY = 200;

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitQueues queues = fleet.waitQueues(7, signal, new WaitingLimits(2 * MANY, 3));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /** Less than an attempt in ten seconds for each waited lock. */
    @Test
    void seldomAsksForLeasesOfThisService() {
        holdAndWait(MANY, MINUTE);
        int before = commands();
        fleet.time.pass(Duration.ofSeconds(50));
        assertTrue(commands() - before < 5 * MANY, () -> commands() - before + " commands");
    }

    @Test
    void asksOnceForEachExtension() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        int before = commands();
        for (int i = 0; i < 3; i++) {
            fleet.time.pass(TTL.minusSeconds(1));
            fleet.extend(A);
        }
        assertTrue(commands() - before <= 3 * 3, () -> commands() - before + " commands");
        fleet.time.pass(TTL.plus(SOON));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    @Test
    void sleepsUntilKeptLockIsFree() {
        fleet.acquire(A);
        fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), A, Duration.ofSeconds(3)));
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        int before = commands();
        fleet.time.pass(Duration.ofMillis(2_900));
        assertEquals(before, commands());
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ignoresLostSubscriptionsOfMinority(int lost) {
        holdAndWait(MANY, MINUTE);
        int before = commands();
        cutAndRestore(lost);
        fleet.time.pass(SOON);
        assertTrue(commands() - before < MANY / 50, () -> commands() - before + " commands");
    }

    /** After a gap of a majority each queue makes one attempt, all together one in a millisecond. */
    @Test
    void spreadsAttemptsAfterLostSubscriptionsOfMajority() {
        holdAndWait(MANY, MINUTE);
        int before = commands();
        cutAndRestore(3);
        int most = 0;
        for (int i = 0; i < 22; i++) {
            int begin = commands();
            fleet.time.pass(Duration.ofMillis(10));
            most = Math.max(most, commands() - begin);
        }
        int all = commands() - before;
        assertTrue(all >= MANY && all < MANY * 11 / 10, () -> all + " commands");
        assertTrue(most < MANY / 7, "up to " + most + " commands in 10 ms");
    }

    /** With few queues, the attempt after a gap is made at once. */
    @Test
    void noticesReleaseDuringGap() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        for (int master = 0; master < 3; master++) {
            signal.cut(master);
        }
        fleet.time.pass(Duration.ofMillis(1));
        fleet.setFault(Fault.SILENT, 4, 5);
        fleet.release(A);
        for (int master = 0; master < 3; master++) {
            signal.restore(master);
        }
        fleet.time.pass(Duration.ofMillis(60));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    /** Releases between the end of the first subscription and the second one are lost. */
    @Test
    void asksAgainIfSubscriptionsBeginAgain() {
        holdAndWait(1, MINUTE);
        int before = commands();
        for (int master = 0; master < 3; master++) {
            signal.restore(master);
        }
        fleet.time.pass(SOON);
        assertEquals(before + 1, commands());
    }

    /** Another replica releases the lock that the first waiter has just got, before its answer. */
    @Test
    void noticesReleaseDuringGrant() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> first = waitFor(RESOURCE, B);
        CompletableFuture<Acquisition> second = waitFor(RESOURCE, new LeaseToken("token-of-client-C"));
        fleet.time.pass(SOON);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(20)));
        fleet.engine.release(RESOURCE, A);
        fleet.time.pass(Duration.ofMillis(31));
        setReplyDelay();
        fleet.engine.release(RESOURCE, B);
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, first.getNow(null));
        assertInstanceOf(Acquisition.Acquired.class, second.getNow(null));
    }

    /** No majority is lost at any time, but all announcements of the release are. */
    @Test
    void noticesReleaseIfSubscriptionsEndOneAfterTheOther() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        signal.cut(0);
        signal.cut(1);
        fleet.setFault(Fault.SILENT, 4, 5);
        queues.release(RESOURCE, A);
        fleet.time.pass(Duration.ofNanos(1_400_000));
        signal.cut(2);
        for (int master = 0; master < 3; master++) {
            signal.restore(master);
        }
        fleet.time.pass(Duration.ofMillis(600));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    /** The attempt began with two announcements, and the third one arrives before its refusal. */
    @Test
    void noticesAnnouncementOfOneMasterDuringAttempt() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        signal.cut(3);
        signal.cut(4);
        answerAfter(Duration.ofMillis(24));
        queues.release(RESOURCE, A);
        fleet.time.pass(Duration.ZERO);
        answerAfter(Duration.ofMillis(1));
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private void answerAfter(Duration delay) {
        List.of(3, 4, 5).forEach(master -> fleet.master(master).answerAfter(delay));
    }

    @Test
    void wakesAfterRoundTripIfTwoMastersHang() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(RESOURCE, B);
        fleet.time.pass(SOON);
        fleet.setFault(Fault.SILENT, 1, 2);
        queues.release(RESOURCE, A);
        fleet.time.pass(ROUND_TRIP);
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private void cutAndRestore(int masters) {
        for (int master = 0; master < masters; master++) {
            signal.cut(master);
        }
        fleet.time.pass(Duration.ofMillis(1));
        for (int master = 0; master < masters; master++) {
            signal.restore(master);
        }
    }

    private void holdAndWait(int locks, Duration ttl) {
        for (int i = 0; i < locks; i++) {
            ResourceName resource = new ResourceName("lock-" + i);
            LeaseToken holder = new LeaseToken("token-of-holder-" + i);
            fleet.engine.acquire(resource, FakeFleet.terms(holder, ttl));
        }
        fleet.time.pass(SOON);
        for (int i = 0; i < locks; i++) {
            waitFor(new ResourceName("lock-" + i), new LeaseToken("token-of-waiter-" + i));
        }
        fleet.time.pass(SOON);
    }

    private CompletableFuture<Acquisition> waitFor(ResourceName resource, LeaseToken token) {
        return queues.acquire(
                resource,
                new AcquireTerms(
                        TTL, MINUTE.multipliedBy(2), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE));
    }

    private int commands() {
        return fleet.master(1).commands();
    }
}
