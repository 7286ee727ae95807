package io.quorumlock.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;

/** Sends spans in batches, from a thread of its own: whoever ends a span waits for nobody. */
final class Export {
    /** What does not fit is lost (R14): a collector that is away must cost neither memory nor time. */
    private static final int MOST_QUEUED = 4096;

    private static final int MOST_AT_ONCE = 512;
    private static final Duration LONGEST_QUEUED = Duration.ofSeconds(1);
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(1);
    private static final Duration LONGEST_SEND = Duration.ofSeconds(5);
    /** A client chooses the longest of them, the host that it asked. */
    private static final int LONGEST_VALUE = 1024;

    private Export() {}

    static SdkTracerProvider to(Tracing.Settings settings, Replica replica, MonotonicClock clock) {
        SpanExporter exporter = new ReportedExporter(exporter(settings.collector()), clock);
        return provider(settings.ratio(), replica, batches(exporter));
    }

    /** A caller's decision counts; without one chance decides. */
    static SdkTracerProvider provider(double ratio, Replica replica, SpanProcessor processor) {
        return SdkTracerProvider.builder()
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
                .setResource(Resource.getDefault().merge(Resource.create(describe(replica))))
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(LONGEST_VALUE)
                        .build())
                .addSpanProcessor(processor)
                .build();
    }

    private static Attributes describe(Replica replica) {
        return Attributes.builder()
                .put("service.name", "quorumlock")
                .put("service.version", replica.version())
                .put("service.instance.id", replica.id())
                .build();
    }

    private static SpanProcessor batches(SpanExporter exporter) {
        return BatchSpanProcessor.builder(exporter)
                .setMaxQueueSize(MOST_QUEUED)
                .setMaxExportBatchSize(MOST_AT_ONCE)
                .setScheduleDelay(LONGEST_QUEUED)
                .setExporterTimeout(LONGEST_SEND)
                .build();
    }

    /** Tries once: the next batch is the next try. */
    private static SpanExporter exporter(Collector collector) {
        return OtlpHttpSpanExporter.builder()
                .setEndpoint(collector.traces())
                .setConnectTimeout(LONGEST_CONNECT)
                .setTimeout(LONGEST_SEND)
                .setRetryPolicy(null)
                .setMeterProvider(MeterProvider.noop())
                .build();
    }
}
