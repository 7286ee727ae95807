// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.DelegatingEngine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R11: sessions whose client never got the lease. */
class UndeliveredLeaseTest extends SessionFixture {

    /** The connection ends between the opening and its first event, so nobody knows the generated token. */
    @Test
    void isReleasedIfTokenWasGenerated() {
        session = new TestSession(manager, withGeneratedToken());
        fleet.time.pass(SOON);
        assertEquals(5, fleet.holding());
        session.end(SessionEndReason.UNDELIVERED);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertOver(SessionEndReason.UNDELIVERED);
    }

    /** The client may have repeated the request on another connection. */
    @Test
    void isKeptIfClientChoseToken() {
        open(A, WhenGone.EXPIRE);
        session.end(SessionEndReason.UNDELIVERED);
        fleet.time.pass(SOON);
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertOver(SessionEndReason.UNDELIVERED);
    }

    /** The loop has completed the acquire, and is interrupted before the session learns of it. */
    @Test
    void isReleasedIfOpeningIsCancelledAfterTheGrant() {
        manager = manager(LONGEST, new NoticedGrants(fleet.engine, () -> session.end(SessionEndReason.GONE)));
        session = new TestSession(manager, withGeneratedToken());
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertEquals(0, manager.count());
    }

    private static SessionTerms withGeneratedToken() {
        return new SessionTerms(
                new AcquireTerms(TTL, Optional.empty(), Optional.empty()), Optional.empty(), WhenGone.EXPIRE);
    }

    /** @param granted runs after the outcome of an acquire is set, and before the actions that depend on it */
    private static final class NoticedGrants extends DelegatingEngine {
        private final Runnable granted;

        private NoticedGrants(LockEngine engine, Runnable granted) {
            super(engine);
            this.granted = granted;
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
            CompletableFuture<Acquisition> outcome = new CompletableFuture<>();
            engine.acquire(resource, terms).thenAccept(acquisition -> {
                // The actions of a future run in reverse order.
                outcome.thenRun(granted);
                outcome.complete(acquisition);
            });
            return outcome;
        }
    }
}
