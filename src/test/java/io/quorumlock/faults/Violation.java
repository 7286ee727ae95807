package io.quorumlock.faults;

/** A violated guarantee, with its time and a description. */
record Violation(Promise promise, long at, String what) {
    static final String LEASE_LOST = "a valid lease was lost";

    /**
     * Returns whether a holder lost its lease. The holder learns this in time, and no other client holds the lease
     * then.
     */
    boolean isLoss() {
        return what.startsWith(LEASE_LOST);
    }

    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
