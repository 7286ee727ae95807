// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A random sequence of faults in which each kind occurs once before any occurs again. */
final class ShuffledFaults {
    private final SeededRandom random;
    private final List<FaultKind> kinds;
    private final Deque<FaultKind> left = new ArrayDeque<>();

    ShuffledFaults(SeededRandom random, List<FaultKind> kinds) {
        this.random = random;
        this.kinds = kinds;
    }

    FaultKind next() {
        if (left.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            while (!shuffled.isEmpty()) {
                left.add(shuffled.remove(random.between(0, shuffled.size() - 1)));
            }
        }
        return left.poll();
    }
}
