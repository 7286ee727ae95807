package io.quorumlock.faults;

/** Is something that was measured in the world, and the most that is promised. */
record Observation(Promise promise, String what, long value, long most) implements HistoryLine {
    boolean isGood() {
        return value <= most;
    }
}
