// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.quorumlock.rest.Answer;
import io.quorumlock.rest.ProblemType;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FleetLockErrorTest {

    @ParameterizedTest
    @EnumSource
    void keepsStatusAndHeadersOfProblem(ProblemType type) {
        Answer problem = Answer.of(type, "The detail.").retryAfter(1);
        Answer error = FleetLockError.inFormOf(problem);
        String kind = type.uri().replace("/problems/", "").replace('-', '_');
        assertEquals(Optional.of(new FleetLockError(kind, type.title() + ". The detail.")), error.body());
        assertEquals(problem.status(), error.status());
        assertEquals(problem.headers(), error.headers());
    }

    @Test
    void keepsAnswersWithoutProblem() {
        Answer done = Answer.empty(204);
        assertSame(done, FleetLockError.inFormOf(done));
    }
}
