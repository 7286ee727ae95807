package io.quorumlock.faults;

/** A value that was measured outside the calls, and the largest value that is allowed. */
record Observation(Promise promise, String what, long value, long most) implements HistoryLine {
    boolean isGood() {
        return value <= most;
    }
}
