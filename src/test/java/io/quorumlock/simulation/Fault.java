// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.EnumSet;
import java.util.Set;

/** A kind of fault. */
enum Fault {
    MASTER_CRASHES,
    MASTER_FORGETS,
    MASTER_HANGS,
    MASTER_IS_SLOW,
    CUT_TO_MASTER,
    CUT_FROM_MASTER,
    CUT,
    CONNECTION_BREAKS,
    ANSWER_LOST,
    REPLICA_CRASHES,
    REPLICA_PAUSES,
    REPLICA_SUSPENDED,
    CLOCK_STEPS,
    CLOCK_CREEPS,
    SCRIPTS_FLUSHED,
    PERSISTENCE_SWITCHED,
    FOLDER_RESTORED;

    /** Faults of single clocks and disks, other than crashes and restarts. */
    static final Set<Fault> LOSS_OF_TIME_OR_DATA =
            EnumSet.of(REPLICA_SUSPENDED, CLOCK_STEPS, CLOCK_CREEPS, PERSISTENCE_SWITCHED, FOLDER_RESTORED);
}
