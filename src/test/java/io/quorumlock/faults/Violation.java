package io.quorumlock.faults;

/** Is a promise that was broken, when, and how. */
record Violation(Promise promise, long at, String what) {
    static final String TAKEN_AWAY = "a valid lease was taken away";

    /** Says whether this can come from a master that forgot a lease before its time. */
    boolean needsMemory() {
        return promise == Promise.S1 || what.startsWith(TAKEN_AWAY);
    }

    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
