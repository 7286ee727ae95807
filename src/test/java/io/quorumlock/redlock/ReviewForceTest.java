package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Review: a forced release that is repeated in the background, and an extension that was confirmed after its answer. */
class ReviewForceTest {
    private final FakeFleet fleet = new FakeFleet(5);

    /** "S1 and S4 for the lease that was broken, until its holder extends or releases": passes for the first extension only. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aForcedReleaseSparesWhatWasExtendedAfterItsAnswer(int extensionsBefore) {
        fleet.acquire(A);
        for (int i = 0; i < extensionsBefore; i++) {
            assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        }
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<ForcedRelease> forced = fleet.directory.forceRelease(RESOURCE);
        fleet.time.pass(Duration.ofMillis(9));
        // The connections to three nodes break, for a moment.
        fleet.suffer(Fault.DOWN, 3, 4, 5);
        fleet.time.pass(Duration.ofMillis(11));
        assertInstanceOf(ForcedRelease.Unconfirmed.class, forced.getNow(null));
        fleet.heal();
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
        CompletableFuture<Extension> extension = fleet.engine.extend(RESOURCE, A, new ExtendTerms(TTL));
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Extension.Extended.class, extension.getNow(null));
        fleet.time.pass(Duration.ofSeconds(1));
        Acquisition other = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        assertFalse(other instanceof Acquisition.Acquired, "two leases");
    }
}
