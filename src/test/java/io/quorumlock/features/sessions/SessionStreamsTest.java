// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.Access;
import io.quorumlock.http.AnswerWriter;
import io.quorumlock.http.ContractJson;
import io.quorumlock.http.OpenApiContract;
import io.quorumlock.http.OutcomeAnswers;
import io.quorumlock.http.OutcomeMapper;
import io.quorumlock.http.RawAnswer;
import io.quorumlock.http.RawHttp;
import io.quorumlock.http.RawRequest;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.DelegatingEngine;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.RealLoop;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session on a real socket whose lease the test grants or refuses. */
class SessionStreamsTest {
    private static final int HEARTBEAT_MILLIS = 20;
    private static final Duration TTL = Duration.ofSeconds(1);

    private final RealLoop loop = new RealLoop();
    private final CompletableFuture<Acquisition> acquisition = new CompletableFuture<>();
    private final CompletableFuture<Void> waits = new CompletableFuture<>();
    private final SessionStreams streams = new SessionStreams(
            new Sessions(new DecidedEngine(), 1, loop.engineContext, why -> {}),
            Duration.ofMillis(HEARTBEAT_MILLIS),
            Clock.systemUTC(),
            new OutcomeMapper(Clock.systemUTC(), OutcomeAnswers.fleet(List.of())),
            loop.vertx);
    private final Access access =
            new Access(Authenticator.off(loop.engineContext.clock()).anonymous(), reason -> {});
    private final AnswerWriter writer = ContractJson.writer();
    private final URI service = loop.serve(this::answer);

    @AfterEach
    void stop() {
        loop.close();
    }

    /** The status can no longer be sent after a heartbeat. */
    @Test
    void sendsNoHeartbeatBeforeRefusal() {
        CompletableFuture<RawAnswer> answer = open();
        RealLoop.await(waits);
        letHeartbeatsPass();
        decide(new Acquisition.Held(RESOURCE, Optional.empty(), Duration.ofSeconds(1)));
        assertEquals(423, RealLoop.await(answer).status());
    }

    @Test
    void reportsEndOfExtensions() {
        CompletableFuture<RawAnswer> answer = open();
        RealLoop.await(waits);
        decide(new Acquisition.Acquired(new Lease(
                ResourceNames.of(RESOURCE),
                A,
                new FencingToken(1),
                TTL,
                TTL,
                Duration.ZERO,
                Duration.ZERO,
                OptionalInt.of(0),
                new Votes(5, 3, 5),
                OptionalInt.empty())));
        String body = RealLoop.await(answer).body();
        assertTrue(body.contains(": held\n"), body);
        String ended = body.replaceFirst("(?s).*event: ended\\s+data: (\\S+).*", "$1");
        OpenApiContract.load().check("SessionEnded", new RawAnswer(200, Map.of(), ended).json());
        assertTrue(ended.startsWith("{\"reason\":\"exhausted\","), body);
    }

    private CompletableFuture<RawAnswer> open() {
        return Background.supply(() -> new RawHttp(service).send(RawRequest.post("/session")));
    }

    private void decide(Acquisition outcome) {
        loop.engineContext.loop().execute(() -> acquisition.complete(outcome));
    }

    private void letHeartbeatsPass() {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        loop.vertx.setTimer(3 * HEARTBEAT_MILLIS, due -> passed.complete(null));
        RealLoop.await(passed);
    }

    private void answer(RoutingContext context) {
        AcquireTerms lease =
                new AcquireTerms(TTL, Duration.ZERO, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
        writer.write(streams.open(RESOURCE, lease, access, () -> {}), context);
        waits.complete(null);
    }

    /** An engine whose acquire the test decides, and whose leases cannot be extended. */
    private final class DecidedEngine extends DelegatingEngine {
        private DecidedEngine() {
            super(new FakeFleet(5).engine);
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
            return acquisition;
        }

        @Override
        public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
            return CompletableFuture.completedFuture(new Extension.Exhausted(0));
        }
    }
}
