// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** A kind of work that can be run repeatedly. */
interface Workload extends AutoCloseable {

    /** Prepares a run; this is not measured. The masters are empty. */
    default void prepare() throws Exception {}

    /** Works for about this duration. All operations have ended when it returns. */
    Sample run(Duration duration) throws Exception;

    /** Cleans up after a run; this is not measured. */
    default void cleanUp() {}

    /** Returns additional figures of the latest run by name. The name contains the unit. */
    default Map<String, Double> facts() {
        return Map.of();
    }

    @Override
    default void close() {}

    /** Returns the name of a resource that was never locked before. */
    static String newResource() {
        return Names.PREFIX + Long.toString(Names.COUNT.incrementAndGet(), Character.MAX_RADIX);
    }

    /** Creates a workload. An exception leaves its part out. */
    @FunctionalInterface
    interface Factory {
        Workload create(Environment environment) throws Exception;
    }

    /** The state behind {@link #newResource()}. */
    final class Names {
        private static final String PREFIX =
                "bench/" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "/";
        private static final AtomicLong COUNT = new AtomicLong();

        private Names() {}
    }

    /** A workload that runs another one under additional conditions. */
    abstract class Wrapper implements Workload {
        private final Workload workload;

        Wrapper(Workload workload) {
            this.workload = workload;
        }

        @Override
        public void prepare() throws Exception {
            workload.prepare();
        }

        @Override
        public Sample run(Duration duration) throws Exception {
            return workload.run(duration);
        }

        @Override
        public void cleanUp() {
            workload.cleanUp();
        }

        @Override
        public Map<String, Double> facts() {
            return workload.facts();
        }

        @Override
        public void close() {
            workload.close();
        }
    }

    /**
     * The outcome of one run.
     *
     * @param succeeded the number of successful operations
     * @param failed the number of failed operations
     * @param latencies of successful operations, in nanoseconds
     * @param elapsed from the start of the first operation to the end of the last one
     */
    record Sample(long succeeded, long failed, AbstractHistogram latencies, Duration elapsed) {
        /** A run with more failures does not measure what it should. */
        private static final double MAX_FAILED = 0.05;

        static Sample of(AbstractHistogram latencies, long failed, Duration elapsed) {
            return new Sample(latencies.getTotalCount(), failed, latencies, elapsed);
        }

        /** Returns an empty histogram with a resolution of 0.1 %, for use by one thread. */
        static Histogram newHistogram() {
            return new Histogram(3);
        }

        double perSecond() {
            return succeeded * 1e9 / elapsed.toNanos();
        }

        /** Returns a latency in microseconds; 0.5 is the median and 1 is the maximum. */
        double micros(double quantile) {
            return latencies.getValueAtPercentile(100 * quantile) / 1e3;
        }

        /** Returns this sample, or throws an IllegalStateException if too many operations failed. */
        Sample checked() {
            if (succeeded == 0) {
                throw new IllegalStateException("no operation succeeded, " + failed + " failed");
            }
            if (failed > MAX_FAILED * (failed + succeeded)) {
                throw new IllegalStateException(failed + " operations failed, " + succeeded + " succeeded");
            }
            return this;
        }
    }
}
