// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.fleet.ServerFailure;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The watch for stalls of this replica: its event loop gets no CPU, for example because of the limit of a container, or
 * the garbage collector stops it. Replies of the masters then seem to be late.
 */
final class StallWatch {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

    private final MonotonicClock clock;
    private final Duration tolerated;
    /** When the last stall ended; null before the first. */
    private MonotonicTime ended;

    private Duration length;
    /** When the next line may be logged; null before the first. */
    private MonotonicTime nextLine;

    /** @param timeout of a command. A delay of more than its half is a stall. */
    StallWatch(MonotonicClock clock, Duration timeout) {
        this.clock = clock;
        this.tolerated = timeout.dividedBy(2);
    }

    /** Notes that a task of the event loop runs that was due at this time. */
    void ran(MonotonicTime due) {
        Duration late = clock.now().since(due);
        if (late.compareTo(tolerated) > 0) {
            boolean same = ended != null && due.isBefore(ended);
            length = same && length.compareTo(late) > 0 ? length : late;
            ended = clock.now();
        }
    }

    /** Returns the explanation for a failure; empty unless it is a timeout, and this replica was stalled since that time. */
    Optional<String> explain(ServerFailure failure, MonotonicTime since) {
        if (failure != ServerFailure.TIMEOUT || ended == null || !since.isBefore(ended)) {
            return Optional.empty();
        }
        if (nextLine == null || !clock.now().isBefore(nextLine)) {
            nextLine = clock.now().plus(BETWEEN_LINES);
            LinkLog.stalled(length);
        }
        return Optional.of("this replica was stalled for " + length.toMillis() + " ms");
    }
}
