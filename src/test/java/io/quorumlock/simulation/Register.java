// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.FencingToken;
import java.util.OptionalInt;

/**
 * The resource that the lock protects: a number that each holder reads and writes back incremented. It rejects fencing
 * tokens smaller than the largest one seen. A second number accepts all writes.
 */
final class Register {
    private FencingToken largest = new FencingToken(1);
    private int value;
    private int written;
    private int openValue;
    private int openWritten;

    OptionalInt read(FencingToken fence) {
        return admits(fence) ? OptionalInt.of(value) : OptionalInt.empty();
    }

    void write(FencingToken fence, int next) {
        if (admits(fence)) {
            value = next;
            written++;
        }
    }

    int readUnfenced() {
        return openValue;
    }

    void writeUnfenced(int next) {
        openValue = next;
        openWritten++;
    }

    /** Counts the accepted writes that are missing from the number. */
    int lost() {
        return written - value;
    }

    int lostUnfenced() {
        return openWritten - openValue;
    }

    private boolean admits(FencingToken fence) {
        if (fence.compareTo(largest) < 0) {
            return false;
        }
        largest = fence;
        return true;
    }
}
