// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

/** The kinds of faults of masters and replicas, with their lengths and the durations of their effects. */
enum FaultKind {
    KILL_ALWAYS(Victim.MASTER, 400, 2_000, Tail.RECONNECT),
    KILL_EVERY_SECOND(Victim.MASTER, 400, 2_000, Tail.QUARANTINE),
    KILL_NONE(Victim.MASTER, 400, 2_000, Tail.QUARANTINE),
    SUSPEND(Victim.MASTER, 300, 2_500, Tail.RECONNECT),
    DELAY(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    HOLD(Victim.MASTER, 600, 2_000, Tail.RECONNECT),
    DROP_REPLY(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    RESET(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    HALF_OPEN(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    SWALLOW_REQUESTS(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    SWALLOW_REPLIES(Victim.MASTER, 1_000, 2_500, Tail.RECONNECT),
    REFUSE(Victim.MASTER, 500, 2_000, Tail.RECONNECT),
    LOADING(Victim.MASTER, 500, 1_500, Tail.RECONNECT),
    FLUSH_SCRIPTS(Victim.MASTER, 300, 600, Tail.RECONNECT),
    PASSWORD(Victim.MASTER, 800, 2_000, Tail.RECONNECT),
    OUT_OF_MEMORY(Victim.MASTER, 800, 2_000, Tail.RECONNECT),
    /** The master restarts empty, after two others hung. */
    EMPTIED(Victim.MASTER, 1_500, 2_200, Tail.FORGETTING),
    STEP_CLOCK(Victim.MASTER, 1_500, 2_500, Tail.QUARANTINE),
    KILL_REPLICA(Victim.REPLICA, 200, 1_500, Tail.RECONNECT),
    SUSPEND_REPLICA(Victim.REPLICA, 300, 2_500, Tail.RECONNECT);

    /** The kind of process that the fault affects. */
    enum Victim {
        MASTER,
        REPLICA
    }

    /** Returns whether the fault must not overlap with other faults of masters. */
    boolean comesAlone() {
        return this == EMPTIED || this == STEP_CLOCK;
    }

    private enum Tail {
        /** Connections are restored within a second. */
        RECONNECT(1_500),
        /** The master is in quarantine (R9), detected with the next batch of commands. */
        QUARANTINE(Setup.QUARANTINE.toMillis() + 2_500),
        /** As above, but only after other masters have recovered. */
        FORGETTING(Setup.QUARANTINE.toMillis() + 2_500 + MasterFault.LONGEST_RETURN.toMillis());

        final long millis;

        Tail(long millis) {
            this.millis = millis;
        }
    }

    final Victim victim;
    final long shortestMs;
    final long longestMs;
    final long tailMs;

    FaultKind(Victim victim, long shortestMs, long longestMs, Tail tail) {
        this.victim = victim;
        this.shortestMs = shortestMs;
        this.longestMs = longestMs;
        this.tailMs = tail.millis;
    }
}
