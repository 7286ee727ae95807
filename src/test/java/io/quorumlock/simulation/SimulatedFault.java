// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.EnumSet;
import java.util.Set;

/** A kind of fault. */
enum SimulatedFault {
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
    CLOCK_DRIFTS,
    SCRIPTS_FLUSHED;

    /** Faults of single clocks. */
    static final Set<SimulatedFault> OF_CLOCKS = EnumSet.of(REPLICA_SUSPENDED, CLOCK_STEPS, CLOCK_DRIFTS);

    /**
     * Faults that end before masters forget a replica. Not flushed scripts: without its script, a replica cannot keep
     * others out, and only a flush within each second does that for long.
     */
    static final Set<SimulatedFault> BRIEF = EnumSet.of(CONNECTION_BREAKS, ANSWER_LOST);
}
