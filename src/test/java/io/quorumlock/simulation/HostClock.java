// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;

/** The clock of one machine. It has a random origin and runs slightly too fast or too slow. */
final class HostClock implements MonotonicClock {
    private final EventQueue events;
    private double rate;
    private long offset;
    private long stepped;
    private long stoppedAt;
    private long resumedAt;

    HostClock(EventQueue events, double rate, long offset) {
        this.events = events;
        this.rate = rate;
        this.offset = offset;
    }

    @Override
    public MonotonicTime now() {
        return new MonotonicTime(offset + (long) (events.now() * rate));
    }

    /** Converts a duration of this clock into true time. */
    long inTrueTime(long nanos) {
        return (long) Math.ceil(nanos / rate);
    }

    double rate() {
        return rate;
    }

    /** Returns the true time of an event that was this long ago by this clock. */
    long trueTime(Duration ago) {
        long awake = events.now() - inTrueTime(ago.toNanos());
        return awake < resumedAt ? awake - (resumedAt - stoppedAt) : awake;
    }

    /** Changes the rate. A rate of 0 stops the clock. */
    void run(double newRate) {
        if (newRate == 0) {
            stoppedAt = events.now();
        } else if (rate == 0) {
            resumedAt = events.now();
        }
        offset = now().nanos() - (long) (events.now() * newRate);
        rate = newRate;
    }

    /** Returns the sum of all steps. */
    long stepped() {
        return stepped;
    }

    /** Steps the clock, which violates the model. */
    void step(long nanos) {
        offset += nanos;
        stepped += nanos;
    }
}
