// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.Access;
import io.quorumlock.http.AnswerWriter;
import io.quorumlock.http.ContractJson;
import io.quorumlock.http.OpenApiContract;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.RawAnswer;
import io.quorumlock.http.RawHttp;
import io.quorumlock.http.RawRequest;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.http.keys.Verb;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RealLoop;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams while the replica ends. */
class EventStreamsTest {
    private static final ResourcePrefix ALL = new ResourcePrefix("");

    private final RealLoop loop = new RealLoop();
    private final AnswerWriter writer = ContractJson.writer();
    private final EventStreams streams = new EventStreams(
            (resources, listener) -> () -> {}, () -> 10, Duration.ofHours(1), loop.vertx, new SimpleMeterRegistry());
    private final URI service = serve();

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void refusesStreamsDuringShutdown() {
        streams.end();
        RawRequest request = RawRequest.get("/events");
        RawAnswer answer = new RawHttp(service).send(request);
        assertEquals("shutting-down", answer.slug());
        assertEquals("close", answer.header("Connection"));
        OpenApiContract.load().check(request, answer);
        assertEquals(0, streams.open());
    }

    @Test
    void reportsShutdownToOpenStreams() {
        try (EventReader reader = new EventReader(service, "/events")) {
            reader.nextStarting(": hints");
            streams.end();
            assertEquals("{}", reader.data("end"));
            assertEquals(0, streams.open());
        }
    }

    private URI serve() {
        Access access = new Access(Authenticator.off(loop.engineContext.clock()).anonymous(), reason -> {});
        return loop.serve(context -> {
            try {
                writer.write(
                        streams.open(access, resource -> true, () -> access.requireAll(Verb.EVENTS, ALL)), context);
            } catch (ProblemException problem) {
                writer.write(problem.answer(), context);
            }
        });
    }
}
