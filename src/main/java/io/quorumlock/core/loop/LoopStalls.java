// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;
import java.util.Optional;

/**
 * The recent stalls of the event loop: it gets no CPU, for example because of the limit of a container, or the garbage collector
 * stops it. Servers then seem to be slow.
 */
public final class LoopStalls {
    private static final Duration PERIOD = Duration.ofMillis(100);

    /** Shorter delays are usual. */
    private static final Duration TOLERATED = Duration.ofMillis(25);

    private static final Duration RECENT = Duration.ofSeconds(10);

    private final EngineContext context;
    private volatile Optional<Stall> longest = Optional.empty();

    private record Stall(MonotonicTime ended, Duration length) {}

    public LoopStalls(EngineContext context) {
        this.context = context;
    }

    /** Begins to watch. */
    public void start() {
        MonotonicTime due = context.clock().now().plus(PERIOD);
        context.scheduler().after(PERIOD, () -> {
            note(context.clock().now().since(due));
            start();
        });
    }

    private void note(Duration late) {
        boolean longer = recent().isEmpty() || late.compareTo(recent().get()) >= 0;
        if (late.compareTo(TOLERATED) > 0 && longer) {
            longest = Optional.of(new Stall(context.clock().now(), late));
        }
    }

    /** Returns the length of the longest recent stall; empty if there was none. May be called from any thread. */
    public Optional<Duration> recent() {
        MonotonicTime now = context.clock().now();
        return longest.filter(stall -> now.since(stall.ended()).compareTo(RECENT) < 0)
                .map(Stall::length);
    }
}
