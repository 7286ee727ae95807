package io.quorumlock.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.events.OpenStreams;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Counts the streams of events. */
@Singleton
final class StreamMeters {
    private final MeterRegistry registry;

    StreamMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void onStart(@Observes StartupEvent event, OpenStreams streams) {
        Gauge.builder("quorumlock.event.streams", streams, OpenStreams::open)
                .description("Streams of events that this replica writes")
                .register(registry);
        FunctionCounter.builder("quorumlock.event.streams.cut", streams, OpenStreams::cut)
                .description("Streams that were ended because their readers were too slow")
                .register(registry);
    }
}
