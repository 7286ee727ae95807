package io.quorumlock.rest;

import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** Turns exceptions into problem documents: expected ones into what they say, all others into one that tells nothing. */
@Singleton
final class ProblemMapper {
    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);
    private static final int BASE = 36;

    private final Clock clock;
    private final AtomicLong incidents = new AtomicLong();

    ProblemMapper(Clock clock) {
        this.clock = clock;
    }

    /** Finds the answer to a failure, and logs it if it is a bug. */
    Answer answer(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal.answer();
        }
        String incident = Long.toString(clock.millis(), BASE) + "-" + incidents.incrementAndGet();
        LOG.errorf(failure, "request failed incident=%s", incident);
        return Problems.internalError(incident);
    }
}
