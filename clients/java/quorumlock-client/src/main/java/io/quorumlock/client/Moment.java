// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

/** A point in time on two clocks. The longer time counts: one stops in suspension, and one can be set back. */
record Moment(long nanos, long millis) {
    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /** Returns the time since this moment in ms, rounded up. */
    long age() {
        return Math.max((System.nanoTime() - nanos + 999_999) / 1_000_000, System.currentTimeMillis() - millis);
    }
}
