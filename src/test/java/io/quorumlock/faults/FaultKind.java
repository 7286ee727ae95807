// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

/** The kinds of faults of masters and replicas, with their lengths and the durations of their effects. */
enum FaultKind {
    KILL(Victim.MASTER, 400, 2_000, RecoveryTime.RECONNECT),
    KILL_AND_EMPTY(Victim.MASTER, 400, 2_000, RecoveryTime.QUARANTINE),
    SUSPEND(Victim.MASTER, 300, 2_500, RecoveryTime.RECONNECT),
    DELAY(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    HOLD(Victim.MASTER, 600, 2_000, RecoveryTime.RECONNECT),
    DROP_REPLY(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    RESET(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    HALF_OPEN(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    SWALLOW_REQUESTS(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    SWALLOW_REPLIES(Victim.MASTER, 1_000, 2_500, RecoveryTime.RECONNECT),
    REFUSE(Victim.MASTER, 500, 2_000, RecoveryTime.RECONNECT),
    LOADING(Victim.MASTER, 500, 1_500, RecoveryTime.RECONNECT),
    FLUSH_SCRIPTS(Victim.MASTER, 300, 600, RecoveryTime.RECONNECT),
    PASSWORD(Victim.MASTER, 800, 2_000, RecoveryTime.RECONNECT),
    OUT_OF_MEMORY(Victim.MASTER, 800, 2_000, RecoveryTime.RECONNECT),
    /** The master restarts empty, after two others hung. */
    EMPTIED(Victim.MASTER, 1_500, 2_200, RecoveryTime.FORGETTING),
    STEP_CLOCK(Victim.MASTER, 1_500, 2_500, RecoveryTime.QUARANTINE),
    KILL_REPLICA(Victim.REPLICA, 200, 1_500, RecoveryTime.RECONNECT),
    SUSPEND_REPLICA(Victim.REPLICA, 300, 2_500, RecoveryTime.RECONNECT);

    /** The kind of process that the fault affects. */
    enum Victim {
        MASTER,
        REPLICA
    }

    /** Returns whether the fault must not overlap with other faults of masters. */
    boolean isExclusive() {
        return this == EMPTIED || this == STEP_CLOCK;
    }

    /** Returns whether a master loses locks. One that is killed keeps them, because it persists every write. */
    boolean losesLocks() {
        return this == KILL_AND_EMPTY || this == EMPTIED || this == STEP_CLOCK;
    }

    private enum RecoveryTime {
        /** Connections are restored within a second. */
        RECONNECT(1_500),
        /** The master is in quarantine (R9), detected with the next batch of commands. */
        QUARANTINE(Setup.QUARANTINE.toMillis() + 2_500),
        /** As above, but only after other masters have recovered. */
        FORGETTING(Setup.QUARANTINE.toMillis() + 2_500 + MasterFault.LONGEST_RETURN.toMillis());

        final long millis;

        RecoveryTime(long millis) {
            this.millis = millis;
        }
    }

    final Victim victim;
    final long shortestMs;
    final long longestMs;
    final long recoveryMs;

    FaultKind(Victim victim, long shortestMs, long longestMs, RecoveryTime tail) {
        this.victim = victim;
        this.shortestMs = shortestMs;
        this.longestMs = longestMs;
        this.recoveryMs = tail.millis;
    }
}
