// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ProblemMappersTest {
    private final AnswerWriter writer = ContractJson.writer();
    private final ProblemMappers problems =
            new ProblemMappers(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> ContractJson.ROUTES);

    @Test
    void returnsAnswerOfProblemException() {
        Answer expected = Problems.notFound();
        assertSame(expected, problems.answer(new ProblemException(expected)));
    }

    @Test
    void hidesDetailsOfBugs() {
        Answer answer = problems.answer(new IllegalStateException("a-secret"));
        String body = new String(writer.bytes(answer.body().orElseThrow()), StandardCharsets.UTF_8);
        assertFalse(body.contains("a-secret") || body.contains("IllegalState"), body);
        OpenApiContract.load()
                .check(
                        "POST",
                        "/locks/a",
                        500,
                        answer.with("Content-Type", answer.contentType()).headers(),
                        body);
    }

    @Test
    void incidentsHaveUniqueIds() {
        assertNotEquals(incident(), incident());
    }

    @Test
    void problemExceptionHasNoStackTrace() {
        assertEquals(0, new ProblemException(Problems.notFound()).getStackTrace().length);
    }

    private Object incident() {
        Problem problem =
                (Problem) problems.answer(new IllegalStateException()).body().orElseThrow();
        return problem.members().get("incident");
    }
}
