// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.semconv.ErrorAttributes;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallSpansTest {
    private final FakeFleet fleet = new FakeFleet(5);
    private final LockEngine engine = fleet.waitQueues(1, fleet.signal(), new WaitingLimits(9, 9));
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final CallSpans spans = new CallSpans(telemetry(Sampler.alwaysOn()), false);

    private OpenTelemetry telemetry(Sampler sampler) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setSampler(sampler)
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .build();
    }

    @Test
    void tracesEachCallWithItsOutcome() {
        acquire(terms(A));
        spans.call("extend", RESOURCE, () -> engine.extend(RESOURCE, A, TTL));
        pass(Duration.ofMillis(5));
        SpanData acquired = span(0);
        assertEquals("acquire", acquired.getName());
        assertEquals("acquired", acquired.getAttributes().get(CallSpans.OUTCOME));
        assertEquals(3, acquired.getAttributes().get(CallSpans.VOTES));
        assertNull(acquired.getAttributes().get(CallSpans.RESOURCE));
        assertEquals("extend", span(1).getName());
        assertEquals("extended", span(1).getAttributes().get(CallSpans.OUTCOME));
        assertFalse(exporter.getFinishedSpanItems().toString().contains(A.text()));
    }

    @Test
    void coversTheWait() {
        acquire(terms(A));
        acquire(waitTerms());
        pass(Duration.ofMillis(100));
        engine.release(RESOURCE, A);
        pass(Duration.ofMillis(100));
        SpanData waited = span(1);
        assertEquals("acquired", waited.getAttributes().get(CallSpans.OUTCOME));
        assertTrue(waited.getAttributes().get(CallSpans.WAITED_MS) >= 95, waited::toString);
    }

    @Test
    void marksCallsWithoutMajorityAsFailed() {
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        acquire(terms(A));
        pass(Duration.ofMillis(200));
        assertEquals("no_quorum", span(0).getAttributes().get(ErrorAttributes.ERROR_TYPE));
        assertEquals(StatusCode.ERROR, span(0).getStatus().getStatusCode());
    }

    @Test
    void endsWithTheRequestThatIsCancelled() {
        acquire(terms(A));
        CompletableFuture<Acquisition> cancelled = acquire(waitTerms());
        pass(Duration.ofMillis(5));
        cancelled.cancel(false);
        assertEquals("cancelled", span(1).getAttributes().get(CallSpans.OUTCOME));
    }

    @Test
    void hasNamesIfTheyAreAllowed() {
        new CallSpans(telemetry(Sampler.alwaysOn()), true)
                .call("inspect", RESOURCE, () -> engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        assertEquals(RESOURCE.toString(), span(0).getAttributes().get(CallSpans.RESOURCE));
    }

    @Test
    void tracesNothingThatIsNotSampled() {
        CompletableFuture<Acquisition> answer = new CallSpans(telemetry(Sampler.alwaysOff()), false)
                .call("acquire", RESOURCE, () -> engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        assertTrue(answer.isDone());
        assertEquals(0, exporter.getFinishedSpanItems().size());
    }

    private CompletableFuture<Acquisition> acquire(AcquireTerms terms) {
        return spans.call("acquire", RESOURCE, () -> engine.acquire(RESOURCE, terms));
    }

    private static AcquireTerms waitTerms() {
        return new AcquireTerms(TTL, Duration.ofSeconds(10), Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private void pass(Duration time) {
        fleet.time.pass(time);
    }

    private SpanData span(int number) {
        return exporter.getFinishedSpanItems().get(number);
    }
}
