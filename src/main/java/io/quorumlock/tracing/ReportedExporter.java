package io.quorumlock.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Tells when spans could not be sent: in one line, at most every minute. The library's own lines are switched off. */
final class ReportedExporter implements SpanExporter {
    private static final Logger LOG = Logger.getLogger(ReportedExporter.class);
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final SpanExporter exporter;
    private final MonotonicClock clock;
    private long lost;
    private Optional<MonotonicTime> told = Optional.empty();

    ReportedExporter(SpanExporter exporter, MonotonicClock clock) {
        this.exporter = exporter;
        this.clock = clock;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode sent = exporter.export(spans);
        sent.whenComplete(() -> {
            if (!sent.isSuccess()) {
                lose(count, reason(sent.getFailureThrowable())).ifPresent(LOG::warn);
            }
        });
        return sent;
    }

    /** Counts what is lost, and finds the line that is due, if one is. */
    synchronized Optional<String> lose(int spans, String reason) {
        lost += spans;
        MonotonicTime now = clock.now();
        if (told.isPresent() && now.isBefore(told.get().plus(SILENCE))) {
            return Optional.empty();
        }
        String line = "traces lost spans=" + lost + " reason=" + reason;
        told = Optional.of(now);
        lost = 0;
        return Optional.of(line);
    }

    /** Is the name of what went wrong on the way, if anything did, else of how it was refused; the text would be somebody else's. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof IOException)) {
            cause = cause.getCause();
        }
        Throwable told = cause == null ? failure : cause;
        return told == null ? "unknown" : told.getClass().getSimpleName();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
