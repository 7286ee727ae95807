// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Authenticator;
import io.quorumlock.testing.DelegatingEngine;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.waiting.WaiterCount;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Clients that disconnect while the answer passes from the event loop of the engine to that of the connection. */
class CancelledAcquireTest {
    private final FakeFleet fleet = new FakeFleet(5);
    private final KeptFutures engine = new KeptFutures(fleet.engine);
    private final LockResource resource = new LockResource(
            engine,
            fleet.directory,
            new NoWaiters(),
            new Limits(
                    Duration.ofSeconds(30),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(60),
                    1_000,
                    Duration.ofSeconds(10),
                    ttl -> ttl),
            new RequestLimiter(new RequestLimits(10, 10)),
            new OutcomeMapper(Clock.systemUTC()));
    private final Access access = new Access(Authenticator.off(fleet.time).anonymous(), reason -> {});
    /** The context of a request, as far as a resource reads it. */
    private final RoutingContext context = (RoutingContext) Proxy.newProxyInstance(
            RoutingContext.class.getClassLoader(),
            new Class<?>[] {RoutingContext.class},
            (self, method, arguments) -> method.getName().equals("get") ? access : null);

    /**
     * R11: the engine has completed its future, and is interrupted before it passes the outcome on. The framework cancels the
     * Uni, which then drops the outcome, and with it the action for undelivered answers.
     */
    @Test
    void releasesLeaseThatIsGrantedAsTheClientLeaves() {
        List<Answer> answers = new ArrayList<>();
        AcquireRequest fields = new AcquireRequest(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        try (RealLoop connection = new RealLoop()) {
            Cancellable request = on(connection, () -> resource.acquire(RESOURCE, fields, context)
                    .subscribe()
                    .with(answers::add));
            engine.acquired.get(0).whenComplete((outcome, bug) -> request.cancel());
            fleet.time.pass(Duration.ofMillis(20));
            on(connection, () -> answers);
        }
        assertEquals(List.of(), answers);
        assertEquals(0, fleet.holding());
    }

    private static <T> T on(RealLoop connection, Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        connection.engineContext.loop().execute(() -> result.complete(task.get()));
        return RealLoop.await(result);
    }

    /** An engine that keeps the futures it returns. */
    private static final class KeptFutures extends DelegatingEngine {
        private final List<CompletableFuture<Acquisition>> acquired = new ArrayList<>();

        private KeptFutures(LockEngine engine) {
            super(engine);
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
            acquired.add(engine.acquire(resource, terms));
            return acquired.get(acquired.size() - 1);
        }
    }

    private static final class NoWaiters implements WaiterCount {
        @Override
        public int all() {
            return 0;
        }

        @Override
        public int on(ResourceName resource) {
            return 0;
        }
    }
}
