package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.prometheus.client.exemplars.DefaultExemplarSampler;
import io.prometheus.client.exemplars.ExemplarSampler;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicClock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Puts spans around requests, rounds and votes. The rooms that it goes around know nothing of it. */
public final class Tracing implements AutoCloseable {
    /** Less than the time that is left when a container is asked to end. */
    private static final long CLOSE_SECONDS = 2;

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final Rounds rounds;
    private final boolean resourceNames;
    private final Origins origins = new Origins();

    /**
     * Is what an operator can choose.
     *
     * @param ratio of the requests that come without a decision of their caller, 0 to 1
     * @param resourceNames whether spans tell the names of resources
     */
    public record Settings(Collector collector, double ratio, boolean resourceNames) {}

    Tracing(SdkTracerProvider provider, boolean resourceNames) {
        this.provider = provider;
        this.resourceNames = resourceNames;
        this.tracer = provider.get("io.quorumlock");
        this.rounds = new Rounds(tracer, resourceNames);
    }

    /** Starts to send spans. */
    public static Tracing start(Settings settings, Replica replica, MonotonicClock clock) {
        return new Tracing(Export.to(settings, replica, clock), settings.resourceNames());
    }

    /** Sees every request before anybody else answers it. */
    public void listen(Filters filters) {
        filters.register(new RequestSpans(tracer, resourceNames), RequestSpans.PRIORITY);
    }

    /** Lets what is handed over to the loop go on in the name of the request that handed it over. */
    public EngineContext follow(EngineContext bare) {
        return new EngineContext(
                bare.clock(), bare.wallClock(), bare.scheduler(), Origin.following(bare.loop()), bare.random());
    }

    /** Makes each vote a span. */
    public List<LockNode> votes(List<LockNode> nodes) {
        return nodes.stream()
                .<LockNode>map(node -> new TracedNode(node, tracer))
                .toList();
    }

    /** Makes each call of the algorithm a span. */
    public LockEngine rounds(LockEngine algorithm) {
        return new TracedEngine(algorithm, rounds, origins);
    }

    /** Remembers for which request somebody waits. */
    public LockEngine waits(LockEngine room) {
        return new TracedWaits(room, origins);
    }

    /** Makes lists and forced releases spans. */
    public LockDirectory rounds(LockDirectory directory) {
        return new TracedDirectory(directory, rounds);
    }

    /** Gives the histograms the ids of the traces that they counted. */
    public ExemplarSampler exemplars() {
        return new DefaultExemplarSampler(new Exemplars());
    }

    /** Sends what is left, within two seconds. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
