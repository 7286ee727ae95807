// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import io.quorumlock.rest.Answer;
import io.quorumlock.rest.Problem;
import java.util.Locale;
import java.util.Optional;

/**
 * An error of FleetLock. Zincati logs the value, and counts errors by kind, of which there are few.
 *
 * @param kind of the problem, in lower case with underscores
 * @param value sentences for an administrator
 */
record FleetLockError(String kind, String value) {

    /** Returns the answer with its problem as an error of this protocol. Others stay as they are. */
    static Answer inFormOf(Answer answer) {
        return answer.body().orElse(null) instanceof Problem problem
                ? new Answer(answer.status(), answer.headers(), Optional.of(of(problem)), answer.undelivered())
                : answer;
    }

    private static FleetLockError of(Problem problem) {
        return new FleetLockError(
                problem.kind().name().toLowerCase(Locale.ROOT), problem.getTitle() + ". " + problem.detail());
    }
}
