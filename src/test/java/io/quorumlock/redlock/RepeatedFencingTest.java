package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R10: fencing tokens of repeated acquires and extensions. They are larger than that of the previous lease, and equal
 * to that of the grant.
 */
class RepeatedFencingTest {
    /** Longer than the longest TTL. */
    private static final Duration QUARANTINE = Duration.ofSeconds(62);

    private final FakeFleet fleet = new FakeFleet(5);

    /**
     * S3: a replica with old clock readings receives an acquire and its repetition with the same token. Node 3 lost its
     * counters before its quarantine. Nodes 1 and 2, which know the last token, are down. The second call adopts the
     * values of the first one before their token is raised.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatedAcquireGetsLargerTokenThanPreviousLease(boolean firstHangsUp) {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.node(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.nodes.forEach(FakeNode::hideClock);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        CompletableFuture<Acquisition> first = paused.acquire(RESOURCE, terms(B));
        CompletableFuture<Acquisition> second = paused.acquire(RESOURCE, terms(B));
        if (firstHangsUp) {
            first.cancel(false);
        }
        fleet.time.pass(Duration.ofMillis(1));
        fleet.nodes.forEach(node -> node.setClock(Duration.ZERO));
        long after = lease(fleet.await(second)).fence().number();
        assertTrue(after > before, "fencing token " + after + " after " + before);
    }

    /** S3: as before, and the second replica has recent clock readings. */
    @Test
    void repeatedAcquireAtAnotherReplicaGetsLargerTokenThanPreviousLease() {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.node(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        fleet.nodes.forEach(FakeNode::hideClock);
        paused.acquire(RESOURCE, terms(B));
        fleet.time.pass(Duration.ofNanos(500_000));
        fleet.nodes.forEach(node -> node.setClock(Duration.ZERO));
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        long after = lease(again).fence().number();
        assertTrue(after > before, "fencing token " + after + " after " + before);
    }

    /** Nodes 4 and 5 missed the grant. */
    @Test
    void repeatedAcquireKeepsTokenOfGrant() {
        fleet.setFault(Fault.DOWN, 4, 5);
        long granted = acquired(fleet.acquire(A)).fence().number();
        fleet.heal();
        assertEquals(granted, lease(fleet.acquire(A)).fence().number());
    }

    /** S3: as before, but the holder extends a lease whose token was returned by no call. */
    @Test
    void extensionOfUnconfirmedLeaseGetsLargerTokenThanPreviousLease() {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.node(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        fleet.nodes.forEach(FakeNode::hideClock);
        paused.acquire(RESOURCE, terms(B));
        fleet.time.pass(Duration.ofNanos(500_000));
        fleet.nodes.forEach(node -> node.setClock(Duration.ZERO));
        Extension extension = fleet.await(fleet.engine.extend(RESOURCE, B, new ExtendTerms(TTL)));
        long after = assertInstanceOf(Extension.Extended.class, extension)
                .lease()
                .fence()
                .number();
        assertTrue(after > before, after + " after " + before);
    }

    /** R10: a token derived from the clocks is not checked again against later readings. */
    @Test
    void oldLeaseKeepsItsTokenWithoutSecondRound() {
        long fence = lease(fleet.await(fleet.engine.acquire(RESOURCE, terms(A, Duration.ofSeconds(50)))))
                .fence()
                .number();
        fleet.time.pass(Duration.ofSeconds(40));
        int commands = fleet.node(1).commands();
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(A, Duration.ofSeconds(50))));
        assertEquals(fence, lease(again).fence().number());
        for (int i = 0; i < 3; i++) {
            Extension extension =
                    fleet.await(fleet.engine.extend(RESOURCE, A, new ExtendTerms(Duration.ofSeconds(50))));
            assertEquals(
                    fence,
                    assertInstanceOf(Extension.Extended.class, extension)
                            .lease()
                            .fence()
                            .number());
            fleet.time.pass(Duration.ofSeconds(40));
        }
        assertEquals(commands + 4, fleet.node(1).commands());
    }

    private static Lease lease(Acquisition acquisition) {
        return acquisition instanceof Acquisition.Replayed replayed ? replayed.lease() : acquired(acquisition);
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
