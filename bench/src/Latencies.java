package io.quorumlock.bench;

import java.util.Arrays;
import java.util.Collection;

/** Collects durations in nanoseconds, all of them; used by one thread at a time. */
final class Latencies {
    private long[] nanos = new long[16];
    private int count;

    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = duration;
    }

    static Latencies merge(Collection<Latencies> parts) {
        Latencies all = new Latencies();
        all.nanos = parts.stream()
                .flatMapToLong(part -> Arrays.stream(part.nanos, 0, part.count))
                .sorted()
                .toArray();
        all.count = all.nanos.length;
        return all;
    }

    int count() {
        return count;
    }

    /** Finds the duration that the given part of all does not exceed; of merged ones only, they are sorted. */
    long quantile(double part) {
        return nanos[(int) Math.min(count - 1, (long) Math.ceil(part * count))];
    }
}
