package io.quorumlock.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

    @ParameterizedTest
    @CsvSource({
        "/locks/a,          /locks/{resource}",
        "/locks/a/b/extend, /locks/{resource}",
        "/locks/,           /locks/{resource}",
        "/locks,            /locks",
        "/events,           /events",
        "/nodes,            /nodes"
    })
    void aRouteIsNamedLikeItsMetrics(String path, String route) {
        assertEquals(Optional.of(route), Route.of(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/metrics", "/q/health/ready", "/openapi.yaml", "/problems/held", "/", "*", "/nodes/x"})
    void whatIsNoCallIsNoSpan(String path) {
        assertEquals(Optional.empty(), Route.of(path));
    }

    @Test
    void aClientCannotMakeOneUp() {
        assertEquals(Route.of("/locks/a"), Route.of("/locks/b?token=c"));
    }
}
