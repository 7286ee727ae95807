// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The status of a master, written by the event loop and read by any thread without locks or allocations. */
final class LinkStatus {
    private static final long UNKNOWN = -1;
    /** The maximum age of a clock reading: a few heartbeats, in which two clocks hardly diverge. */
    private static final Duration LONGEST_UNREAD = LinkSettings.HEARTBEAT.multipliedBy(5);

    /** The reasons for which a connected master gives no vote. */
    private static final Set<ServerFailure> ABSTENTIONS =
            EnumSet.of(ServerFailure.PENDING, ServerFailure.QUARANTINED, ServerFailure.REFUSED);

    private final String alias;
    private final String address;
    private final MonotonicClock clock;
    private volatile Standing standing = Standing.without(ServerFailure.PENDING, "not connected yet");
    private volatile long latencyNanos = UNKNOWN;
    private volatile int restarts;
    private volatile Duration clockOffset;
    private volatile ClockReading clockReading;

    /** Runs after a master began or ceased to count as up. */
    private final Runnable changed;

    /**
     * Whether the master votes, and why not. One object, so that a reader never sees a half of it. What does not apply is null.
     *
     * @param isDown whether a master that may vote counts as down, because it refuses writes or answers too late
     * @param quarantineEnd when the last quarantine of this connection ends
     */
    private record Standing(
            boolean mayVote, boolean isDown, ServerFailure problem, String detail, MonotonicTime quarantineEnd) {
        static final Standing VOTES = new Standing(true, false, null, null, null);

        static Standing without(ServerFailure reason, String why) {
            return new Standing(false, false, reason, why, null);
        }

        boolean isUp() {
            return mayVote && !isDown;
        }

        Standing with(ServerFailure reason, String why) {
            return new Standing(mayVote, isDown, reason, why, quarantineEnd);
        }
    }

    private record ClockReading(MonotonicTime received, long millis) {}

    /** @param changed runs after the master began or ceased to count as up */
    LinkStatus(String alias, MasterAddress address, MonotonicClock clock, Runnable changed) {
        this.alias = alias;
        this.address = address.hostAndPort();
        this.clock = clock;
        this.changed = changed;
    }

    ServerStatus get() {
        long nanos = latencyNanos;
        Standing now = standing;
        return new ServerStatus(
                alias,
                address,
                now.isUp(),
                Optional.ofNullable(now.problem()),
                Optional.ofNullable(now.detail()),
                nanos == UNKNOWN ? Optional.empty() : Optional.of(Duration.ofNanos(nanos)),
                restarts,
                Optional.ofNullable(now.quarantineEnd())
                        .map(end -> end.since(clock.now()))
                        .filter(left -> !left.isNegative()),
                Optional.ofNullable(clockOffset),
                Optional.empty());
    }

    boolean mayVote() {
        return standing.mayVote();
    }

    /** Returns why the master gives no vote. */
    ServerFailure abstention() {
        ServerFailure reason = standing.problem();
        return ABSTENTIONS.contains(reason) ? reason : ServerFailure.DISCONNECTED;
    }

    void measured(Duration latency) {
        latencyNanos = latency.toNanos();
    }

    /** Notes a vote, which ends the last problem. A release during a quarantine is not a vote. */
    void voted() {
        if (standing.isUp() && standing.problem() != null) {
            standing = Standing.VOTES;
        }
    }

    /** Notes an answered heartbeat. The master responds, but may not vote. */
    void heartbeatAnswered() {
        ServerFailure problem = standing.problem();
        if (problem == ServerFailure.TIMEOUT || problem == ServerFailure.OVERLOADED) {
            standing = standing.with(null, null);
        }
    }

    /** @param why explains the failure to people */
    void failed(ServerFailure reason, Optional<String> why) {
        if (standing.isUp()) {
            standing = standing.with(reason, why.orElse(null));
        }
    }

    /** Notes a new connection. The admission decides later whether the master votes. A refusal lasts until then. */
    void connected(boolean restarted) {
        if (restarted) {
            restarts = restarts + 1;
        }
        if (standing.problem() != ServerFailure.REFUSED) {
            standing = standing.with(ServerFailure.PENDING, "connected, waits for a majority of the masters");
        }
    }

    /** Notes that the master may vote. */
    void admitted() {
        if (!standing.isUp()) {
            standing = Standing.VOTES;
            changed.run();
        }
    }

    /** Notes that the master counts as down. It is still asked: it executes releases, and may vote in time. */
    void admittedAsDown(ServerFailure reason, String why) {
        standing = new Standing(true, true, reason, why, null);
        changed.run();
    }

    boolean isQuarantined() {
        return standing.problem() == ServerFailure.QUARANTINED;
    }

    void quarantined(MonotonicTime end, String why) {
        down(new Standing(false, false, ServerFailure.QUARANTINED, why, end));
    }

    /**
     * Notes a reading of the master's wall clock, in milliseconds.
     *
     * @param ours this replica's wall clock in the middle of the round trip
     */
    void clockRead(MonotonicTime received, long millis, long ours) {
        clockOffset = Duration.ofMillis(millis - ours);
        clockReading = new ClockReading(received, millis);
    }

    /**
     * Returns the master's wall clock in milliseconds; empty if the last reading is too old, or if the master gives no vote. A new
     * connection may lead to another server.
     */
    OptionalLong wallClock() {
        ClockReading last = clockReading;
        if (last == null || !standing.mayVote()) {
            return OptionalLong.empty();
        }
        Duration age = clock.now().since(last.received());
        return age.compareTo(LONGEST_UNREAD) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(last.millis() + age.toMillis());
    }

    void down(ServerFailure reason, Optional<String> why) {
        down(Standing.without(reason, why.orElse(null)));
    }

    private void down(Standing without) {
        standing = without;
        latencyNanos = UNKNOWN;
        clockReading = null;
        changed.run();
    }

    void refused(String why) {
        down(ServerFailure.REFUSED, Optional.of(why));
    }
}
