package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import java.time.Duration;

/** A listener for waits, for metrics. */
public interface WaitListener {

    /** Called at the end of a wait. */
    void waited(Acquisition outcome, Duration elapsed);

    /** Called when an acquire was rejected because the queue is full. */
    void rejected();
}
