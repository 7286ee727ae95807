// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

/** The end of a request with an answer, before the engine is called. It has no stack trace, because it is not a bug. */
public final class ProblemException extends RuntimeException {
    private final transient Answer answer;

    public ProblemException(Answer answer) {
        super("HTTP " + answer.status(), null, false, false);
        this.answer = answer;
    }

    public Answer answer() {
        return answer;
    }
}
