package io.quorumlock.tracing;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.waiting.WaitingLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OriginsTest {
    private static final ContextKey<String> NAME = ContextKey.named("name");
    private static final AcquireTerms TERMS =
            new AcquireTerms(FakeFleet.TTL, Duration.ZERO, Duration.ofSeconds(1), Optional.of(A), Optional.empty());

    private final Origins origins = new Origins();

    /** The same client on the same terms, twice: its second request is another. */
    @Test
    void equalTermsOfTwoRequestsAreToldApart() {
        AcquireTerms first = origins.remember(TERMS, Context.root().with(NAME, "first"));
        AcquireTerms second = origins.remember(TERMS, Context.root().with(NAME, "second"));
        assertEquals(first, second);
        assertNotSame(first, second);
        assertEquals("first", origins.of(first).get(NAME));
        assertEquals("second", origins.of(second).get(NAME));
    }

    @Test
    void nothingIsRememberedOfWhoHasItsAnswerOrLeft() {
        FakeFleet fleet = new FakeFleet(5);
        TracedWaits waits = new TracedWaits(fleet.waitQueues(1, fleet.signal(), new WaitingLimits(9, 9)), origins);
        CompletableFuture<Acquisition> served = waits.acquire(RESOURCE, TERMS);
        CompletableFuture<Acquisition> refused = waits.acquire(RESOURCE, FakeFleet.terms(FakeFleet.B));
        CompletableFuture<Acquisition> left = waits.acquire(RESOURCE, TERMS);
        assertEquals(2, origins.size());
        left.cancel(false);
        assertEquals(1, origins.size());
        fleet.time.pass(Duration.ofSeconds(2));
        assertTrue(served.isDone() && refused.isDone());
        assertEquals(0, origins.size());
    }
}
