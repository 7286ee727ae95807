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

/** Review: what a repeated acquire makes of the fencing token. */
class ReviewFencingTest {
    private static final Duration QUARANTINE = Duration.ofSeconds(62);

    private final FakeFleet fleet = new FakeFleet(5);

    /**
     * S3. A client's acquire and its repetition with the same token reach a replica that was paused for more than 5 s (old
     * readings of the clocks); node 3 lost its counters a quarantine ago, nodes 1 and 2 are away. The first one's token is
     * raised to what the clocks say; the second one finds a majority of "adopted" votes and gives the token as proposed.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRepeatedAcquireGetsALargerTokenThanTheLastLease(boolean firstHangsUp) {
        Redlock paused = fleet.replica(2);
        fleet.suffer(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.node(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.suffer(Fault.DOWN, 1, 2);
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

    /** The same where the client's repetition reaches another replica, whose clocks are all right. */
    @Test
    void aRepeatedAcquireAtAnotherReplicaGetsALargerTokenThanTheLastLease() {
        Redlock paused = fleet.replica(2);
        fleet.suffer(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.node(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.suffer(Fault.DOWN, 1, 2);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        fleet.nodes.forEach(FakeNode::hideClock);
        paused.acquire(RESOURCE, terms(B));
        fleet.time.pass(Duration.ofNanos(500_000));
        fleet.nodes.forEach(node -> node.setClock(Duration.ZERO));
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        long after = lease(again).fence().number();
        assertTrue(after > before, "fencing token " + after + " after " + before);
    }

    /** "Extending and repeating an acquire keep the number"; a holder must never hear a smaller one than before. */
    @Test
    void aRepeatedAcquireNamesNoSmallerTokenThanAnExtensionBefore() {
        fleet.suffer(Fault.DOWN, 4, 5);
        long granted = acquired(fleet.acquire(A)).fence().number();
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(3));
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        fleet.node(3).answerAfter(Duration.ofMillis(40));
        Redlock other = fleet.replica(2);
        CompletableFuture<Acquisition> repeated = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(3));
        Extension extension = fleet.await(other.extend(RESOURCE, A, new ExtendTerms(TTL)));
        long extended = assertInstanceOf(Extension.Extended.class, extension)
                .lease()
                .fence()
                .number();
        long replayed = lease(fleet.await(repeated)).fence().number();
        assertTrue(replayed >= extended, "granted " + granted + ", extended " + extended + ", replayed " + replayed);
    }

    /** The same lease, heard in the same order, without any concurrent calls: does the number stay? */
    @Test
    void anExtensionKeepsTheNumberOfTheGrant() {
        fleet.suffer(Fault.DOWN, 4, 5);
        long granted = acquired(fleet.acquire(A)).fence().number();
        fleet.heal();
        assertEquals(granted, lease(fleet.acquire(A)).fence().number());
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }

    private static Lease lease(Acquisition acquisition) {
        return acquisition instanceof Acquisition.Replayed replayed ? replayed.lease() : acquired(acquisition);
    }
}
