package io.quorumlock.bench;

import java.util.concurrent.atomic.AtomicLong;

/** Makes names of resources that nobody ever locked. */
final class Names {
    private static final String RUN = "bench/" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "/";
    private static final AtomicLong COUNT = new AtomicLong();

    private Names() {}

    static String next() {
        return RUN + Long.toString(COUNT.incrementAndGet(), Character.MAX_RADIX);
    }
}
