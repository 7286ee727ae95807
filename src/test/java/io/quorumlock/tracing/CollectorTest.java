package io.quorumlock.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectorTest {

    @ParameterizedTest
    @ValueSource(strings = {"http://collector:4318", " http://collector:4318/ "})
    void tracesHaveAPathOfTheirOwn(String url) {
        assertEquals("http://collector:4318/v1/traces", Collector.parse(url).traces());
    }

    @Test
    void aPathOfAProxyIsKept() {
        assertEquals(
                "https://proxy/otel/v1/traces",
                Collector.parse("https://proxy/otel").traces());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "collector:4318",
                "grpc://collector:4317",
                "http://",
                "http://user:canary@collector:4318",
                "http://collector:4318?key=canary",
                "http://collector:4318#canary",
                "http://col lector"
            })
    void anythingElseIsRefusedAndNotRepeated(String url) {
        String said = assertThrows(IllegalArgumentException.class, () -> Collector.parse(url))
                .getMessage();
        assertFalse(said.contains("canary"), said);
    }
}
