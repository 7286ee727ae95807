// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.prometheus.client.exemplars.DefaultExemplarSampler;
import io.prometheus.client.exemplars.ExemplarSampler;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.time.EngineContext;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The spans that only the lock engine can add to a trace: waits, quorum rounds and votes. */
public final class Tracing {
    private final Tracer tracer;
    private final RoundSpans spans;
    private final Map<AcquireTerms, Context> pending = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param resourceNames whether spans may contain the names of resources */
    public Tracing(Tracer tracer, boolean resourceNames) {
        this.tracer = tracer;
        this.spans = new RoundSpans(tracer, resourceNames);
    }

    /** Returns a context whose loop runs tasks in the trace of the request that submitted them. */
    public EngineContext propagate(EngineContext context) {
        return new EngineContext(
                context.clock(),
                context.wallClock(),
                context.scheduler(),
                TraceContext.propagating(context.loop()),
                context.random());
    }

    /** Decorates masters, so that each vote is a span. */
    public List<LockMaster> votes(List<LockMaster> masters) {
        return masters.stream()
                .<LockMaster>map(master -> new TracedMaster(master, tracer))
                .toList();
    }

    /** Decorates the algorithm, so that each round is a span. */
    public LockEngine rounds(LockEngine algorithm) {
        return new TracedEngine(algorithm, spans, pending);
    }

    /** Decorates the wait queues, so that each wait is a span with the rounds of the waiter. */
    public LockEngine waits(LockEngine queues) {
        return new WaitSpans(queues, spans, pending);
    }

    /** Decorates the directory, so that each listing and each forced release is a span. */
    public LockDirectory rounds(LockDirectory directory) {
        return new LockDirectory() {
            @Override
            public CompletableFuture<Listing> list(PageTerms terms) {
                return spans.trace("list round", Optional.empty(), TraceContext.current(), () -> directory.list(terms));
            }

            @Override
            public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms) {
                return spans.trace(
                        "force release round",
                        Optional.of(ResourceNames.of(resource)),
                        TraceContext.current(),
                        () -> directory.forceRelease(resource, terms));
            }
        };
    }

    /** Returns the processor that keeps secrets and resource names out of the spans of HTTP requests. */
    public static SpanProcessor requestSpans(boolean resourceNames) {
        return new RequestSpans(resourceNames);
    }

    /** Returns the source of trace ids for histograms. That of the extension does not know the context of rounds. */
    public static ExemplarSampler exemplars() {
        return new DefaultExemplarSampler(new TraceContext.OfExemplars());
    }
}
