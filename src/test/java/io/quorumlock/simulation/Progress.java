// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Progress of a long run, printed every few seconds. */
final class Progress {
    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    private final PrintStream out;
    private final LongSupplier nanos;
    private final long begun;
    private long printed;

    Progress(PrintStream out, LongSupplier nanos) {
        this.out = out;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
        this.printed = begun;
    }

    /** Returns a progress that prints nothing. */
    static Progress silent() {
        return new Progress(new PrintStream(OutputStream.nullOutputStream()), () -> 0);
    }

    void at(long done, long all) {
        long now = nanos.getAsLong();
        if (now - printed < PAUSE && done < all) {
            return;
        }
        printed = now;
        double seconds = Math.max(1, now - begun) / 1e9;
        double perSecond = done / seconds;
        out.printf(
                Locale.ROOT,
                "simulation: %d of %d seeds, %.0f a minute, %.0f s left%n",
                done,
                all,
                perSecond * 60,
                (all - done) / perSecond);
    }
}
