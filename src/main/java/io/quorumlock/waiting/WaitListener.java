package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import java.time.Duration;

/** Hears of those who wait: for metrics. */
public interface WaitListener {

    /** Reports the end of a wait. */
    void waited(Acquisition outcome, Duration elapsed);

    /** Reports one that was not let in, because too many wait already. */
    void rejected();
}
