// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Set;

/**
 * The settings of a run.
 *
 * @param begun start of the load, to which the times of the plan are relative
 * @param planned kinds of faults that need evidence
 * @param minutes length of the load
 * @param grantsWanted minimum number of grants for a conclusive run
 * @param eachWanted minimum number of each kind of call for a conclusive run
 */
record RunHeader(
        long seed,
        double minutes,
        long begun,
        long grantsWanted,
        long eachWanted,
        int processes,
        Set<FaultKind> planned)
        implements HistoryLine {}
