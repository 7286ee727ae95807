package io.quorumlock.rest;

/** Ends a request with an answer before the engine is asked. Carries no stack: it is no bug. */
final class ProblemException extends RuntimeException {
    private final transient Answer answer;

    ProblemException(Answer answer) {
        super("HTTP " + answer.status(), null, false, false);
        this.answer = answer;
    }

    Answer answer() {
        return answer;
    }
}
