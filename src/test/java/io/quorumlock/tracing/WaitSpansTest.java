// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockKind;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WaitSpansTest {
    private static final ContextKey<String> NAME = ContextKey.named("name");
    private static final AcquireTerms TERMS = new AcquireTerms(
            FakeFleet.TTL, Duration.ZERO, Duration.ofSeconds(1), Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);

    private final FakeFleet fleet = new FakeFleet(5);
    private final Map<AcquireTerms, Context> pending = Collections.synchronizedMap(new IdentityHashMap<>());
    private final RoundSpans spans = new RoundSpans(TracerProvider.noop().get("test"), false);

    @Test
    void distinguishesRequestsWithEqualTerms() {
        Set<AcquireTerms> queued = Collections.newSetFromMap(new IdentityHashMap<>());
        LockEngine queues = (LockEngine) Proxy.newProxyInstance(
                LockEngine.class.getClassLoader(), new Class<?>[] {LockEngine.class}, (proxy, method, arguments) -> {
                    queued.add((AcquireTerms) arguments[1]);
                    return new CompletableFuture<>();
                });
        WaitSpans waits = new WaitSpans(queues, spans, pending);
        TraceContext.run(Context.root().with(NAME, "first"), () -> waits.acquire(RESOURCE, TERMS));
        TraceContext.run(Context.root().with(NAME, "second"), () -> waits.acquire(RESOURCE, TERMS));
        assertEquals(2, queued.size());
        assertEquals(Set.of(TERMS), Set.copyOf(queued));
        assertEquals(
                Set.of("first", "second"),
                queued.stream().map(terms -> pending.get(terms).get(NAME)).collect(Collectors.toSet()));
    }

    @Test
    void forgetsServedAndCancelledRequests() {
        WaitSpans waits = new WaitSpans(fleet.waitQueues(1, fleet.signal(), new WaitingLimits(9, 9)), spans, pending);
        CompletableFuture<Acquisition> served = waits.acquire(RESOURCE, TERMS);
        CompletableFuture<Acquisition> refused = waits.acquire(RESOURCE, FakeFleet.terms(FakeFleet.B));
        CompletableFuture<Acquisition> cancelled = waits.acquire(RESOURCE, TERMS);
        assertEquals(2, pending.size());
        cancelled.cancel(false);
        assertEquals(1, pending.size());
        fleet.time.pass(Duration.ofSeconds(2));
        assertTrue(served.isDone() && refused.isDone());
        assertEquals(0, pending.size());
    }
}
