// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.events.LockWatch;
import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Authenticator;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.Sessions;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.RealLoop;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Heartbeats on a replica with two requests in flight that allows two, and one more for leases in use. */
class HeartbeatLimitTest {
    private final RealLoop loop = new RealLoop();
    private final FakeFleet fleet = new FakeFleet(5);
    private final RequestLimiter limiter = new RequestLimiter(new RequestLimits(2, 1));
    private final CompletableFuture<BeatOutcome> heartbeat = new CompletableFuture<>();
    private final LockStreamsResource resource = resource(new OutcomeMapper(Clock.systemUTC()));
    private final Access access = new Access(Authenticator.off(fleet.time).anonymous(), reason -> {});
    /** The context of a request, as far as a resource reads it. */
    private final RoutingContext context = (RoutingContext) Proxy.newProxyInstance(
            RoutingContext.class.getClassLoader(),
            new Class<?>[] {RoutingContext.class},
            (self, method, arguments) ->
                    method.getName().equals("get") && arguments[0].equals(RequestFilter.ACCESS) ? access : null);

    @AfterEach
    void stop() {
        loop.close();
    }

    /** A session in use must not end because acquires overload the replica. */
    @Test
    void overloadRejectsAcquiresBeforeHeartbeats() {
        limiter.call(RequestClass.OPEN, CompletableFuture::new);
        limiter.call(RequestClass.OPEN, CompletableFuture::new);
        CompletableFuture<Answer> answer = beat();
        assertEquals(3, limiter.inFlight());
        heartbeat.complete(new BeatOutcome.Heard());
        assertEquals(204, answer.join().status());
        assertEquals(2, limiter.inFlight());
    }

    /** R14 */
    @Test
    void heartbeatsAreLimited() {
        beat();
        beat();
        beat();
        assertThrows(ProblemException.class, this::beat);
        assertEquals(1, limiter.shed(RequestClass.RESERVED));
    }

    private CompletableFuture<Answer> beat() {
        RequestParameters parameters = new RequestParameters();
        byte[] body = "{\"token\": \"token-of-client-A\"}".getBytes(StandardCharsets.UTF_8);
        ContractJson.reader().readBody(body, parameters);
        return resource.heartbeat(RESOURCE, parameters, context).subscribeAsCompletionStage();
    }

    private LockStreamsResource resource(OutcomeMapper outcomes) {
        StreamLimits streams = new StreamLimits(1, Duration.ofHours(1));
        LockWatch noEvents = listener -> () -> {};
        Sessions sessions = new HeartbeatsOnly();
        return new LockStreamsResource(
                new EventStreams(noEvents, streams, loop.vertx),
                new SessionStreams(sessions, streams, Clock.systemUTC(), outcomes, loop.vertx),
                sessions,
                new Limits(
                        Duration.ofSeconds(30),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(60),
                        1_000,
                        Duration.ofSeconds(10),
                        ttl -> ttl),
                limiter,
                outcomes);
    }

    private final class HeartbeatsOnly implements Sessions {
        @Override
        public CompletableFuture<Opening> open(ResourceName name, SessionTerms terms, Consumer<SessionEvent> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<BeatOutcome> beat(ResourceName name, LeaseToken token) {
            return heartbeat;
        }

        @Override
        public int count() {
            return 0;
        }
    }
}
