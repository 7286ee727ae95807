// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The times of the grants of one lock that always has waiters. */
final class HandOvers {
    private final String resource;
    private final List<Long> grants = new ArrayList<>();
    private int vanished;

    /** @param begun when clients began to acquire, by {@code System.nanoTime} */
    HandOvers(String resource, long begun) {
        this.resource = resource;
        grants.add(begun);
    }

    String resource() {
        return resource;
    }

    synchronized void granted(long moment, boolean holderVanishes) {
        grants.add(moment);
        vanished += holderVanishes ? 1 : 0;
    }

    synchronized int vanished() {
        return vanished;
    }

    synchronized int released() {
        return grants.size() - 1 - vanished;
    }

    /** Returns the longest time between two grants, or between the last one and the end. */
    synchronized Duration longestWait(long end) {
        List<Long> moments = new ArrayList<>(grants);
        moments.add(end);
        moments.sort((a, b) -> Long.signum(a - b));
        long longest = 0;
        for (int i = 1; i < moments.size(); i++) {
            longest = Math.max(longest, moments.get(i) - moments.get(i - 1));
        }
        return Duration.ofNanos(longest);
    }

    @Override
    public synchronized String toString() {
        return resource + ": " + released() + " released, " + vanished + " vanished, longest wait "
                + longestWait(grants.get(grants.size() - 1));
    }
}
