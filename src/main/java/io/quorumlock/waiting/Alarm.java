package io.quorumlock.waiting;

import io.quorumlock.time.Moment;
import io.quorumlock.time.Scheduler;
import io.quorumlock.time.Surroundings;
import java.time.Duration;

/** Is the one timer of a queue: what makes it look again when nothing else does (R12). */
final class Alarm {
    private final Surroundings surroundings;
    private final Runnable ring;
    private Scheduler.Timer timer;
    private Moment due;

    Alarm(Surroundings surroundings, Runnable ring) {
        this.surroundings = surroundings;
        this.ring = ring;
    }

    /** Rings after this delay, instead of whenever it would have. */
    void in(Duration delay) {
        off();
        due = surroundings.clock().now().plus(delay);
        timer = surroundings.scheduler().after(delay, () -> {
            timer = null;
            ring.run();
        });
    }

    /** Rings after this delay, unless it rings earlier. */
    void notAfter(Duration delay) {
        Moment latest = surroundings.clock().now().plus(delay);
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
