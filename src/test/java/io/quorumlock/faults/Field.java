// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.List;

/** The masters and replicas that faults can hit, and their observer. */
record Field(Masters masters, List<Replica> replicas, NodesWatch watch) {

    Injury injury(PlannedFault fault) {
        return fault.kind().victim == FaultKind.Victim.MASTER
                ? MasterInjury.of(fault, this)
                : ReplicaInjury.of(fault, this);
    }
}
