package io.quorumlock.bench;

import java.time.Duration;

/**
 * Is what one run of a part gave.
 *
 * @param succeeded how many operations did what they were to do
 * @param failed how many did not
 * @param latencies of those that succeeded
 * @param elapsed from the first operation's begin to the last one's end
 */
record Sample(long succeeded, long failed, Latencies latencies, Duration elapsed) {
    /** Beyond it the part measured something else than its work. */
    private static final double MOST_FAILED = 0.05;

    static Sample of(Latencies latencies, long failed, Duration elapsed) {
        return new Sample(latencies.count(), failed, latencies, elapsed);
    }

    double perSecond() {
        return succeeded * 1e9 / elapsed.toNanos();
    }

    double micros(double quantile) {
        return latencies.quantile(quantile) / 1e3;
    }

    /** Refuses a sample that no ratio may be made of. */
    Sample checked() {
        if (succeeded == 0) {
            throw new IllegalStateException("no operation succeeded, " + failed + " failed");
        }
        if (failed > MOST_FAILED * (failed + succeeded)) {
            throw new IllegalStateException(failed + " operations failed, " + succeeded + " succeeded");
        }
        return this;
    }
}
