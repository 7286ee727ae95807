// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.List;
import java.util.function.Predicate;

/**
 * All calls of one run.
 *
 * @param replicaFaulty whether the replica crashed, paused or was down during a call. There is no time limit then
 * @param mastersFaulty whether faults of masters may have kept a replica from learning who holds the lock
 */
public record History(
        List<Call> calls, HistoryLimits limits, Predicate<Call> replicaFaulty, Predicate<Call> mastersFaulty) {}
