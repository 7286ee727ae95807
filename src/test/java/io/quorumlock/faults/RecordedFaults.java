// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.Violation;
import java.util.List;

/** The faults of a run, with what they excuse. Only a run on real processes has them. */
record RecordedFaults(List<FaultRecord> all) {

    /** Returns whether the replica of the call was killed or suspended meanwhile. */
    boolean affectReplica(Call call) {
        return all.stream()
                .filter(fault -> fault.kind().victim == FaultKind.Victim.REPLICA)
                .filter(fault -> fault.victim().equals("replica-" + call.replica()))
                .anyMatch(fault -> fault.overlaps(from(call, fault), call.answered()));
    }

    /**
     * Returns the start of the time in which a fault can affect the call. A connection broken by a kill is detected
     * only at the next call, which can be late.
     */
    private static long from(Call call, FaultRecord fault) {
        boolean broken =
                fault.kind() == FaultKind.KILL_REPLICA && !call.outcome().isAnswer();
        return broken ? call.connected() : call.sent();
    }

    /**
     * Returns whether the violation is outside the model: a lease was lost while the wall clock of a master was stepped,
     * until the master recovered. Redis expires keys by this clock, so the master loses locks, and a lease may have no
     * spare vote. All other guarantees hold.
     */
    boolean excuse(Violation violation) {
        boolean lost = violation.what().startsWith(Violation.LEASE_LOST)
                || violation.what().startsWith(Violation.OWN_LEASE_REFUSED);
        return lost
                && all.stream()
                        .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK)
                        .anyMatch(fault -> fault.from() < violation.at() && violation.at() < fault.recovered());
    }
}
