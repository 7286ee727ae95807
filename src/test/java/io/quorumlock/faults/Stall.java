// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Comparator;
import java.util.List;

/**
 * A time in which the machine did not run a process. A client process detects this with a {@link StallDetector}. A replica did not
 * answer even a request that needs no master.
 */
record Stall(String process, long from, long until) implements HistoryLine {
    /** Returns how long any of these stalls lasted between two times. Overlaps count once. */
    static long sum(List<Stall> stalls, long from, long until) {
        long sum = 0;
        long counted = from;
        for (Stall stall :
                stalls.stream().sorted(Comparator.comparingLong(Stall::from)).toList()) {
            sum += stall.within(counted, until);
            counted = Math.max(counted, stall.until);
        }
        return sum;
    }

    boolean overlaps(long begin, long end) {
        return within(begin, end) > 0;
    }

    private long within(long begin, long end) {
        return Math.max(0, Math.min(until, end) - Math.max(from, begin));
    }
}
