package io.quorumlock.simulation;

/** A violated guarantee, with a description. */
record Violation(Promise promise, String what) {
    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
