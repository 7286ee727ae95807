// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSpansTest {
    @ParameterizedTest
    @CsvSource({
        "/locks/a,          /locks/{name}",
        "/locks/a/b/extend, /locks/{name}",
        "/locks/,           /locks/{name}",
        "/locks,            /locks",
        "/nodes,            /nodes",
        "/nodes/x,          /elsewhere",
        "/,                 /elsewhere",
        "*,                 /elsewhere"
    })
    void namesSpansByTheRoutesOfTheMetrics(String path, String route) {
        SpanData span = span(false, path, null);
        assertEquals("POST " + route, span.getName());
        assertEquals(route, span.getAttributes().get(HttpAttributes.HTTP_ROUTE));
        assertEquals(route, span.getAttributes().get(UrlAttributes.URL_PATH));
        assertNull(span.getAttributes().get(UrlAttributes.URL_QUERY));
    }

    @ParameterizedTest
    @CsvSource({"true, /locks/canary", "false, /locks/{name}"})
    void keepsThePathIfResourceNamesAreAllowed(boolean resourceNames, String path) {
        assertEquals(
                path, span(resourceNames, "/locks/canary", null).getAttributes().get(UrlAttributes.URL_PATH));
    }

    @Test
    void redactsTheQuery() {
        for (boolean resourceNames : new boolean[] {false, true}) {
            SpanData span = span(resourceNames, "/locks/a", "token=canary");
            assertFalse(span.toString().contains("canary"), span::toString);
            assertEquals("REDACTED", span.getAttributes().get(UrlAttributes.URL_QUERY));
        }
    }

    private SpanData span(boolean resourceNames, String path, String query) {
        InMemorySpanExporter exporter = InMemorySpanExporter.create();
        SdkTracerProvider.builder()
                .addSpanProcessor(new RequestSpans(new Routes(List.of()), resourceNames))
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build()
                .get("test")
                .spanBuilder("POST")
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(UrlAttributes.URL_PATH, path)
                .setAttribute(UrlAttributes.URL_QUERY, query)
                .startSpan()
                .end();
        return exporter.getFinishedSpanItems().get(0);
    }
}
