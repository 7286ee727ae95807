// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

/**
 * A violated guarantee.
 *
 * @param at when it was detected, in nanoseconds of the history; {@link #AT_THE_END} if after all calls
 */
public record Violation(Promise promise, long at, String what) {
    public static final long AT_THE_END = Long.MAX_VALUE;
    /** The start of the text for a lost lease. The holder learns this in time, and no other client holds the lease then. */
    public static final String LEASE_LOST = "a valid lease was lost";

    /** The start of the text for a holder that repeated its acquire and got the answer that another client holds the lock. */
    public static final String OWN_LEASE_REFUSED = "a holder was refused its own lease";

    /** Creates a violation that was detected after all calls. */
    public Violation(Promise promise, String what) {
        this(promise, AT_THE_END, what);
    }

    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
