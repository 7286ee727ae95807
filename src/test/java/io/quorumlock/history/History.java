// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.List;
import java.util.function.Predicate;

/**
 * All calls of one run.
 *
 * @param replicaFaulty whether the replica crashed, paused or was down during a call. There is no time limit then
 */
public record History(List<Call> calls, HistoryLimits limits, Predicate<Call> replicaFaulty) {}
