package io.quorumlock.waiting;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;

/** Is the one timer of a queue: what makes it look again when nothing else does (R12). */
final class WakeUpTimer {
    private final EngineContext engineContext;
    private final Runnable ring;
    private Scheduler.Timer timer;
    private MonotonicTime due;

    WakeUpTimer(EngineContext engineContext, Runnable ring) {
        this.engineContext = engineContext;
        this.ring = ring;
    }

    /** Rings after this delay, instead of whenever it would have. */
    void in(Duration delay) {
        off();
        due = engineContext.clock().now().plus(delay);
        timer = engineContext.scheduler().after(delay, () -> {
            timer = null;
            ring.run();
        });
    }

    /** Rings after this delay, unless it rings earlier. */
    void notAfter(Duration delay) {
        MonotonicTime latest = engineContext.clock().now().plus(delay);
        if (timer == null || latest.isBefore(due)) {
            in(delay);
        }
    }

    void off() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
