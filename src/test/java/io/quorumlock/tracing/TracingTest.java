// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static io.quorumlock.tracing.TracedFleet.inTrace;
import static io.quorumlock.tracing.TracedFleet.inUnsampledTrace;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.semconv.ErrorAttributes;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.LockKind;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Spans of the engine: the trace of a request contains only its own waits, rounds and votes. */
class TracingTest {
    private static final String ONE = "11111111111111111111111111111111";
    private static final String TWO = "22222222222222222222222222222222";
    private static final String THREE = "33333333333333333333333333333333";
    private static final LeaseToken C = new LeaseToken("token-of-client-C");

    private final Measurements measured = new Measurements();
    private final TracedFleet traced = new TracedFleet(false, measured);

    @Test
    void tracesAnAcquireAsARoundWithOneVotePerMaster() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        SpanData round = only(traced.spans(ONE, "acquire round"));
        assertEquals("acquired", round.getAttributes().get(RoundSpans.OUTCOME));
        List<SpanData> votes = traced.spans(ONE, "EVALSHA acquire");
        assertEquals(Set.of("node-1", "node-2", "node-3", "node-4", "node-5"), masters(votes));
        votes.forEach(vote -> assertEquals(round.getSpanId(), vote.getParentSpanId()));
        votes.forEach(vote -> assertEquals("granted", vote.getAttributes().get(TracedMaster.VOTE)));
    }

    @Test
    void tracesEachOperationInItsOwnRequest() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        inTrace(TWO, () -> traced.engine.extend(RESOURCE, A, new ExtendTerms(TTL)));
        inTrace(THREE, () -> traced.engine.release(RESOURCE, A));
        pass(Duration.ofMillis(5));
        assertEquals(5, traced.spans(TWO, "EVALSHA extend").size());
        assertEquals(5, traced.spans(THREE, "EVALSHA release").size());
        assertEquals(18, traced.exporter.getFinishedSpanItems().size());
    }

    @Test
    void tracesBothRoundsOfAForcedRelease() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        inTrace(TWO, () -> traced.directory.forceRelease(RESOURCE, ForceTerms.ALL));
        pass(Duration.ofMillis(5));
        assertEquals(
                "broken",
                only(traced.spans(TWO, "force release round")).getAttributes().get(RoundSpans.OUTCOME));
        assertEquals(5, traced.spans(TWO, "EVALSHA inspect").size());
        assertEquals(5, traced.spans(TWO, "EVALSHA release").size());
    }

    @Test
    void endsMissingVotesWithTheTimeout() {
        traced.fleet.setFault(Fault.SILENT, 5);
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        assertEquals(4, traced.spans(ONE, "EVALSHA acquire").size());
        pass(NODE_TIMEOUT);
        SpanData late = traced.spans(ONE, "EVALSHA acquire").get(4);
        assertEquals("timeout", late.getAttributes().get(TracedMaster.REASON));
        assertEquals(StatusCode.ERROR, late.getStatus().getStatusCode());
    }

    /** The release of another request starts the last round of a waiter. */
    @Test
    void tracesTheRoundsOfAWaiterInItsOwnTrace() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        inTrace(TWO, () -> traced.engine.acquire(RESOURCE, waitTerms(B)));
        inTrace(THREE, () -> traced.engine.acquire(RESOURCE, waitTerms(C)));
        pass(Duration.ofMillis(100));
        inTrace(ONE, () -> traced.engine.release(RESOURCE, A));
        pass(Duration.ofMillis(100));
        inTrace(ONE, () -> traced.engine.release(RESOURCE, B));
        pass(Duration.ofMillis(100));
        assertEquals(1, traced.spans(ONE, "acquire round").size());
        assertEquals(Set.of("held", "acquired"), Set.copyOf(outcomes(TWO)));
        assertEquals(List.of("acquired"), outcomes(THREE));
        SpanData wait = only(traced.spans(TWO, "wait"));
        assertEquals("acquired", wait.getAttributes().get(RoundSpans.OUTCOME));
        traced.spans(TWO, "acquire round").forEach(round -> assertEquals(wait.getSpanId(), round.getParentSpanId()));
        assertEquals(Set.of(ONE, TWO, THREE), Set.copyOf(measured.acquires));
    }

    @Test
    void endsCancelledRoundsAndTheirVotes() {
        CompletableFuture<Acquisition> cancelled = inTrace(ONE, () -> traced.engine.acquire(RESOURCE, waitTerms(A)));
        traced.fleet.time.pass(Duration.ZERO);
        cancelled.cancel(false);
        pass(Duration.ofSeconds(1));
        assertEquals(List.of("cancelled"), outcomes(ONE));
        assertEquals(5, traced.spans(ONE, "EVALSHA acquire").size());
        assertEquals(0, traced.fleet.holding());
    }

    @Test
    void recordsMetricsInTheTraceOfTheRound() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        inTrace(TWO, () -> traced.engine.acquire(RESOURCE, terms(B)));
        pass(Duration.ofMillis(5));
        assertEquals(List.of(ONE, TWO), measured.acquires);
    }

    @Test
    void recordsImmediateFailuresInTheTraceOfTheRound() {
        traced.fleet.setFault(Fault.DOWN, 1, 2, 3, 4, 5);
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        pass(Duration.ofMillis(5));
        assertEquals(List.of(ONE), measured.acquires);
        SpanData round = only(traced.spans(ONE, "acquire round"));
        assertEquals("no_quorum", round.getAttributes().get(ErrorAttributes.ERROR_TYPE));
        assertEquals(StatusCode.ERROR, round.getStatus().getStatusCode());
    }

    @Test
    void exportsNothingForUnsampledTraces() {
        inUnsampledTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        inUnsampledTrace(TWO, () -> traced.engine.acquire(RESOURCE, waitTerms(B)));
        pass(Duration.ofSeconds(20));
        assertEquals(List.of(), traced.exporter.getFinishedSpanItems());
    }

    @Test
    void exportsNeitherTokensNorResourceNames() {
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(A)));
        inTrace(ONE, () -> traced.engine.acquire(RESOURCE, terms(B)));
        inTrace(ONE, () -> traced.engine.release(RESOURCE, A));
        pass(Duration.ofMillis(20));
        String all = traced.exporter.getFinishedSpanItems().toString();
        assertFalse(all.contains("token-of") || all.contains(RESOURCE.text()), all);
    }

    @Test
    void exportsResourceNamesIfAllowed() {
        TracedFleet open = new TracedFleet(true, new EventLog());
        inTrace(ONE, () -> open.engine.acquire(RESOURCE, terms(A)));
        open.fleet.time.pass(Duration.ofMillis(5));
        assertEquals(
                RESOURCE.text(),
                only(open.spans(ONE, "acquire round")).getAttributes().get(RoundSpans.RESOURCE));
    }

    private void pass(Duration duration) {
        traced.fleet.time.pass(duration);
    }

    private static AcquireTerms waitTerms(LeaseToken token) {
        return new AcquireTerms(
                TTL, Duration.ZERO, Duration.ofSeconds(5), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private List<String> outcomes(String trace) {
        return traced.spans(trace, "acquire round").stream()
                .map(span -> span.getAttributes().get(RoundSpans.OUTCOME))
                .toList();
    }

    private static Set<String> masters(List<SpanData> votes) {
        return votes.stream()
                .map(vote -> vote.getAttributes().get(TracedMaster.MASTER))
                .collect(Collectors.toSet());
    }

    private static SpanData only(List<SpanData> spans) {
        assertTrue(spans.size() == 1, spans::toString);
        return spans.get(0);
    }
}
