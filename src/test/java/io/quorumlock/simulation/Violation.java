package io.quorumlock.simulation;

/** Is a promise that was broken, and how. */
record Violation(Promise promise, String what) {
    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
