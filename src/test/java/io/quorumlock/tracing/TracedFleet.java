// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.redlock.Redlock;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.time.EngineContext;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The engine with tracing, over fake masters, on virtual time. */
final class TracedFleet {
    private static final String CALLER = "00f067aa0ba902b7";

    final FakeFleet fleet = new FakeFleet(5);
    final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    final LockEngine engine;
    final LockDirectory directory;

    TracedFleet(boolean resourceNames, LockListener events) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(0)))
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        Tracing tracing = new Tracing(provider.get("test"), resourceNames);
        EngineContext engineContext = tracing.propagate(fleet.time.engineContext(1));
        List<LockMaster> masters = tracing.votes(List.copyOf(fleet.masters));
        Redlock redlock = new Redlock(masters, FakeFleet.SETTINGS, engineContext, events);
        WaitQueues queues = new WaitQueues(
                tracing.rounds((LockEngine) redlock),
                3,
                0.01,
                fleet.signal(),
                new WaitingLimits(10, 10),
                engineContext,
                new EventLog());
        engine = tracing.waits(queues);
        directory = tracing.rounds((LockDirectory) redlock);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /** Makes a call in a sampled trace. */
    static <T> T inTrace(String trace, Supplier<T> call) {
        return in(trace, TraceFlags.getSampled(), call);
    }

    /** Makes a call in a trace that is not sampled. */
    static <T> T inUnsampledTrace(String trace, Supplier<T> call) {
        return in(trace, TraceFlags.getDefault(), call);
    }

    private static <T> T in(String trace, TraceFlags flags, Supplier<T> call) {
        SpanContext request = SpanContext.createFromRemoteParent(trace, CALLER, flags, TraceState.getDefault());
        return Context.root().with(Span.wrap(request)).wrapSupplier(call).get();
    }

    List<SpanData> spans(String trace) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(trace))
                .toList();
    }

    List<SpanData> spans(String trace, String name) {
        return spans(trace).stream().filter(span -> span.getName().equals(name)).toList();
    }
}
