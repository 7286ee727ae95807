// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.service.waiting.WaiterCount;
import io.quorumlock.testing.DelegatingEngine;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Clients that disconnect while the answer passes from the engine to the connection. */
@Proves("R11")
class CancelledAcquireTest {
    private final FakeFleet fleet = new FakeFleet(5);
    private final KeptFutures engine = new KeptFutures(fleet.engine);
    private final OutcomeMapper outcomes = new OutcomeMapper(Clock.systemUTC(), OutcomeAnswers.fleet(List.of()));
    private final LockResource resource = new LockResource(
            new LockCalls(
                    engine,
                    fleet.directory,
                    new RequestLimiter(10, 10, new SimpleMeterRegistry()),
                    outcomes,
                    new CallSpans(OpenTelemetry.noop(), false)),
            new NoWaiters(),
            new Limits(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(60), Duration.ofSeconds(10)),
            outcomes);
    private final Access access = new Access(Authenticator.off(fleet.time).anonymous(), reason -> {});
    private boolean headWritten;
    private Cancellable request;
    private final HttpServerResponse response =
            proxy(HttpServerResponse.class, Map.of("headWritten", arguments -> headWritten));
    private final List<Handler<?>> endHandlers = new ArrayList<>();
    /** The context of a request, as far as a resource reads it. */
    private final RoutingContext context = proxy(
            RoutingContext.class,
            Map.of("get", arguments -> access, "response", arguments -> response, "addEndHandler", arguments -> {
                endHandlers.add((Handler<?>) arguments[0]);
                return endHandlers.size();
            }));

    /** R11: the framework drops the outcome, and with it the action for undelivered answers. */
    @Test
    void releasesLeaseWhoseAnswerIsDropped() {
        try (RealLoop connection = new RealLoop()) {
            List<Answer> answers = acquire(connection);
            fleet.time.pass(Duration.ofMillis(20));
            assertEquals(1, on(connection, answers::size));
            endRequest();
        }
        assertEquals(0, fleet.holding());
    }

    /** R11: the framework cancels the Uni while the engine passes the outcome on. */
    @Test
    void releasesLeaseThatIsGrantedAsTheClientLeaves() {
        try (RealLoop connection = new RealLoop()) {
            acquire(connection);
            engine.acquired.get(0).whenComplete((outcome, bug) -> request.cancel());
            endRequest();
        }
        assertEquals(0, fleet.holding());
    }

    @Test
    void keepsLeaseWhoseAnswerIsWritten() {
        headWritten = true;
        try (RealLoop connection = new RealLoop()) {
            acquire(connection);
            fleet.time.pass(Duration.ofMillis(20));
            endRequest();
        }
        assertEquals(5, fleet.holding());
    }

    private List<Answer> acquire(RealLoop connection) {
        List<Answer> answers = new ArrayList<>();
        AcquireRequest fields = new AcquireRequest(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        request = on(
                connection,
                () -> resource.acquire(RESOURCE, fields, context).subscribe().with(answers::add));
        return answers;
    }

    private void endRequest() {
        endHandlers.forEach(handler -> handler.handle(null));
        fleet.time.pass(Duration.ofMillis(20));
    }

    private static <T> T proxy(Class<T> type, Map<String, Function<Object[], Object>> methods) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> methods.get(method.getName())
                        .apply(arguments)));
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
        public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
            acquired.add(engine.acquire(resources, terms));
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
