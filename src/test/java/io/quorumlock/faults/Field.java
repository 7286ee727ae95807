package io.quorumlock.faults;

import java.util.List;

/** Is whom faults can hit, and who watches. */
record Field(Masters masters, List<Replica> replicas, NodesWatch watch) {

    Injury injury(PlannedFault fault) {
        return fault.kind().victim == FaultKind.Victim.MASTER
                ? MasterInjury.of(fault, this)
                : ReplicaInjury.of(fault, this);
    }
}
