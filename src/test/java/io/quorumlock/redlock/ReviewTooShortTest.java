package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Review: an extension that gives a lease up, and what is acquired with the token after its answer. */
class ReviewTooShortTest {
    private final FakeFleet fleet = new FakeFleet(5);

    /** As MinValidityTest.whatEndsTheLeaseSparesWhatWasReplayedSince, but for an extension. */
    @Test
    void anExtensionThatEndsTheLeaseSparesWhatWasReplayedSince() {
        fleet.acquire(A);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Extension> answer = fleet.engine.extend(RESOURCE, A, new ExtendTerms(TTL, TTL));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.suffer(Fault.DOWN, 1, 2, 3, 4, 5);
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Extension.TooShort.class, answer.getNow(null));
        fleet.heal();
        assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(5, fleet.holding());
    }

    /** S1, with never more than two nodes bad at a time, and calls that do not overlap. */
    @Test
    void nobodyElseGetsALeaseThatWasAcquiredAfterAnExtensionHadEndedTheOneBefore() {
        fleet.acquire(A);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Extension> extension = fleet.engine.extend(RESOURCE, A, new ExtendTerms(TTL, TTL));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.suffer(Fault.DOWN, 5);
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Extension.TooShort.class, extension.getNow(null));
        fleet.time.pass(Duration.ofMillis(6));
        fleet.heal();
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(2)));
        fleet.suffer(Fault.DOWN, 3, 4);
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(A)));
        boolean granted = again instanceof Acquisition.Acquired || again instanceof Acquisition.Replayed;
        System.out.println("repeated: " + again);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.heal();
        Acquisition other = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        System.out.println("other: " + other);
        assertFalse(granted && other instanceof Acquisition.Acquired, "two leases");
    }
}
