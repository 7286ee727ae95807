// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The JSON of the service for tests without the framework. */
public final class ContractJson {
    private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new Jdk8Module());
    static final Routes ROUTES = new Routes(List.of());
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(60), Duration.ofSeconds(10));

    private ContractJson() {}

    public static AnswerWriter writer() {
        return writer(() -> new MonotonicTime(System.nanoTime()));
    }

    public static AnswerWriter writer(MonotonicClock clock) {
        return new AnswerWriter(MAPPER, new ProblemMappers(Clock.systemUTC(), () -> ROUTES), () -> ROUTES, clock);
    }

    static RequestReader reader() {
        return new RequestReader(() -> LIMITS);
    }
}
