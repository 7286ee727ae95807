package io.quorumlock.simulation;

import io.quorumlock.lock.FencingToken;
import java.util.OptionalInt;

/**
 * The resource that the lock protects: a number that each holder reads, and writes back one larger. It refuses a smaller
 * fencing token than it has seen. Beside it is one that refuses no write.
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

    int readOpenly() {
        return openValue;
    }

    void writeOpenly(int next) {
        openValue = next;
        openWritten++;
    }

    /** Counts the writes that were accepted and are not in the number. */
    int lost() {
        return written - value;
    }

    int lostOpenly() {
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
