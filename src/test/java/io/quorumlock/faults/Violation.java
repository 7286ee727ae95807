package io.quorumlock.faults;

/** Is a promise that was broken, when, and how. */
record Violation(Promise promise, long at, String what) {
    static final String TAKEN_AWAY = "a valid lease was taken away";

    /** Says whether a holder lost what it had; that is known in time, and gives it to nobody else. */
    boolean isLoss() {
        return what.startsWith(TAKEN_AWAY);
    }

    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
