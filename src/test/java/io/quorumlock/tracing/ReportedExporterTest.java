package io.quorumlock.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedExporterTest {
    private final VirtualTime time = new VirtualTime();
    private final ReportedExporter exporter = new ReportedExporter(InMemorySpanExporter.create(), time);

    @Test
    void whatIsLostIsToldAtMostOnceAMinute() {
        assertEquals(Optional.of("traces lost spans=5 reason=ConnectException"), exporter.lose(5, "ConnectException"));
        time.pass(Duration.ofSeconds(59));
        assertEquals(Optional.empty(), exporter.lose(2, "ConnectException"));
        time.pass(Duration.ofSeconds(1));
        assertEquals(Optional.of("traces lost spans=5 reason=ConnectException"), exporter.lose(3, "ConnectException"));
    }
}
