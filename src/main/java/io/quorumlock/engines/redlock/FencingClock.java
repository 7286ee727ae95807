// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.FencingToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The source of new fencing tokens (R10): the time of day, so that a new token is also larger than lost counters. All
 * replicas use the wall clocks of the masters, so that tokens do not depend on the clock of a replica.
 */
final class FencingClock {
    private static final long NO_TIME = -1;

    /** Tokens per millisecond: 1,024 grants. The product stays below 2^53 until the year 2248. */
    private static final long PER_MILLISECOND = 1024;

    private static final long MAX_MILLIS = FencingToken.LARGEST / PER_MILLISECOND;
    private static final int TTL_PARTS = 8;

    /** The year 2001. Smaller tokens were counted, and are no times. */
    private static final long EARLIEST_MILLIS = 1_000_000_000_000L;

    private final List<LockMaster> masters;
    private final Quorum quorum;
    private final long tolerance;
    private long largest;

    /**
     * @param ttlMax an eighth of it is the tolerance, by which a token may be ahead of the clock or behind it. The
     *     tolerance is far less than the quarantine of a master that lost its data (R9)
     */
    FencingClock(List<LockMaster> masters, Duration ttlMax) {
        this.masters = masters;
        this.quorum = new Quorum(masters.size());
        this.tolerance = ttlMax.toMillis() * PER_MILLISECOND / TTL_PARTS;
    }

    /** Returns the time of a grant by its token, for display; empty if the token was made without knowing the time. */
    static Optional<Instant> time(FencingToken token) {
        long millis = token.number() / PER_MILLISECOND;
        return millis < EARLIEST_MILLIS ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /** Returns the time since a grant, for display; empty if one of the two times is not known. */
    Optional<Duration> age(FencingToken token) {
        OptionalLong now = medianMillis();
        return now.isEmpty()
                ? Optional.empty()
                : time(token).map(granted -> Duration.ofMillis(Math.max(0, now.getAsLong() - granted.toEpochMilli())));
    }

    /**
     * Returns a token for the next grant. If the time is unknown, the token is small, and the masters increment counters.
     */
    FencingToken candidate() {
        largest = Math.max(now().orElse(0), Math.min(largest + 1, FencingToken.LARGEST));
        return new FencingToken(largest);
    }

    /**
     * Continues from a token of another replica, unless it is too far ahead, because it would spread to all resources.
     */
    void observe(FencingToken token) {
        if (token.number() > largest && token.number() <= now().orElse(-tolerance) + tolerance) {
            largest = token.number();
        }
    }

    /** Returns the smallest token that a lease of this age may have, by the clocks that were read with its votes. */
    FencingToken minimum(Duration age) {
        return new FencingToken(Math.max(1, now().orElse(0) - tolerance - age.toMillis() * PER_MILLISECOND));
    }

    private OptionalLong now() {
        OptionalLong millis = medianMillis();
        return millis.isPresent() ? OptionalLong.of(millis.getAsLong() * PER_MILLISECOND) : millis;
    }

    /**
     * Returns the median of the recently read wall clocks, in milliseconds since 1970; the earlier one of two. It is
     * correct if more than half of these clocks are correct. Empty if fewer clocks than a majority are known.
     */
    private OptionalLong medianMillis() {
        long[] readings = new long[masters.size()];
        int known = 0;
        for (LockMaster master : masters) {
            long reading = master.wallClock().orElse(NO_TIME);
            if (isValid(reading)) {
                readings[known++] = reading;
            }
        }
        if (known < quorum.required()) {
            return OptionalLong.empty();
        }
        Arrays.sort(readings, 0, known);
        return OptionalLong.of(readings[(known - 1) / 2]);
    }

    /** Returns whether a token can represent the time. A clock outside this range is wrong. */
    private static boolean isValid(long millis) {
        return millis > 0 && millis <= MAX_MILLIS;
    }
}
