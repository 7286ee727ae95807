// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.time.EngineContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A generator of attempt ids that are unique across all replicas (R3): the time, a random part for this replica, and a
 * counter, in base 36. The time is for display only, because wall clocks may be wrong.
 */
final class AttemptIds {
    private static final int RADIX = Character.MAX_RADIX;
    /** Matches ids with a time, and with or without the mark of an adopted or extended lease. */
    private static final Pattern WITH_TIME = Pattern.compile("([0-9a-z]{1,9})\\.[0-9a-z]+\\.[0-9a-z]+\\+?");

    private final InstantSource wallClock;
    private final String replica;
    private long count;

    AttemptIds(EngineContext engineContext) {
        this.wallClock = engineContext.wallClock();
        this.replica = "." + Long.toUnsignedString(engineContext.random().nextLong(), RADIX) + ".";
    }

    String next() {
        return Long.toString(wallClock.millis(), RADIX) + replica + Long.toString(++count, RADIX);
    }

    /** Returns when the attempt began, by the wall clock of its replica; empty for ids of another form. */
    static Optional<Instant> time(String attempt) {
        Matcher id = WITH_TIME.matcher(attempt);
        return id.matches() ? Optional.of(Instant.ofEpochMilli(Long.parseLong(id.group(1), RADIX))) : Optional.empty();
    }
}
