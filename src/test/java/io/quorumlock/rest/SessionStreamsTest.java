// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Authenticator;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.Opening;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.RealLoop;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session on a real socket whose lease the test grants or refuses. */
class SessionStreamsTest {
    private static final int HEARTBEAT_MILLIS = 20;

    private final RealLoop loop = new RealLoop();
    private final CompletableFuture<Opening> opening = new CompletableFuture<>();
    private final CompletableFuture<Void> waits = new CompletableFuture<>();
    private final SessionStreams streams = new SessionStreams(
            new Opens(),
            new StreamLimits(1, Duration.ofMillis(HEARTBEAT_MILLIS)),
            Clock.systemUTC(),
            new OutcomeMapper(Clock.systemUTC()),
            loop.vertx);
    private final Access access =
            new Access(Authenticator.off(loop.engineContext.clock()).anonymous(), reason -> {});
    private final AnswerWriter writer = ContractJson.writer();
    private final URI service = loop.serve(this::answer);

    @AfterEach
    void stop() {
        loop.close();
    }

    /** The wait of a client often ends together with a heartbeat, and the status can no longer be sent after one. */
    @Test
    void sendsNoHeartbeatBeforeRefusal() {
        CompletableFuture<RawAnswer> answer =
                CompletableFuture.supplyAsync(() -> new RawHttp(service).send(RawRequest.post("/session")));
        RealLoop.await(waits);
        opening.thenRun(this::letHeartbeatsPass);
        opening.complete(new Opening.Refused(new Acquisition.Held(Duration.ofSeconds(1), Optional.empty())));
        assertEquals(423, RealLoop.await(answer).status());
    }

    /** Runs before the dependents that were added earlier, as {@link CompletableFuture} calls the latest first. */
    private void letHeartbeatsPass() {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        loop.vertx.setTimer(3 * HEARTBEAT_MILLIS, due -> passed.complete(null));
        RealLoop.await(passed);
    }

    private void answer(RoutingContext context) {
        AcquireTerms lease = new AcquireTerms(Duration.ofSeconds(1), Optional.empty(), Optional.empty());
        SessionRequest request = new SessionRequest(
                new AcquireRequest(RESOURCE, lease, false),
                new Sessions.SessionTerms(lease, Optional.empty(), WhenGone.EXPIRE));
        writer.write(streams.open(request, access, () -> {}), context);
        waits.complete(null);
    }

    private final class Opens implements Sessions {
        @Override
        public CompletableFuture<Opening> open(ResourceName name, SessionTerms terms, Consumer<SessionEvent> listener) {
            return opening;
        }

        @Override
        public CompletableFuture<BeatOutcome> beat(ResourceName name, LeaseToken token) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int count() {
            return 0;
        }
    }
}
