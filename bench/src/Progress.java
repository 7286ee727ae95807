package io.quorumlock.bench;

import java.util.Locale;

/** Says on the error stream what is going on; the results go to standard output. */
final class Progress {
    private final long begin = System.nanoTime();

    void note(String format, Object... values) {
        long seconds = (System.nanoTime() - begin) / 1_000_000_000;
        System.err.printf(Locale.ROOT, "%02d:%02d  ", seconds / 60, seconds % 60);
        System.err.printf(Locale.ROOT, format + "%n", values);
    }
}
