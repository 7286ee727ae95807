package io.quorumlock.faults;

import java.util.Set;

/**
 * The settings of a run.
 *
 * @param begun when the load began, to which the times of the plan are relative
 * @param planned the kinds of faults whose evidence is needed
 * @param minutes how long the load was
 * @param grantsWanted fewer prove nothing
 * @param eachWanted of each kind of call; fewer prove nothing
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
