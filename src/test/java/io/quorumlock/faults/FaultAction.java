// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * The execution of a fault.
 *
 * @param evidence returns evidence of an effect since a time; empty as long as there is none
 * @param isOver whether the victim has recovered, as far as this is visible
 */
record FaultAction(Runnable begin, Runnable end, LongFunction<String> evidence, BooleanSupplier isOver) {

    static FaultAction of(PlannedFault fault, SystemUnderTest system) {
        if (fault.kind().victim == FaultKind.Victim.MASTER) {
            return system.servers().action(fault, system.watch());
        }
        ReplicaProcess replica = system.replicas().get(fault.target() - 1);
        return fault.kind() == FaultKind.KILL_REPLICA ? kill(replica) : suspend(replica, fault.target(), system);
    }

    private static FaultAction kill(ReplicaProcess replica) {
        long before = replica.pid();
        return new FaultAction(
                replica::kill,
                replica::startAgain,
                begun -> replica.pid() == before ? "" : "process " + before + " became " + replica.pid(),
                () -> true);
    }

    private static FaultAction suspend(ReplicaProcess replica, int number, SystemUnderTest system) {
        return new FaultAction(
                replica::suspend,
                replica::resume,
                begun -> system.watch().wasSilentSince(begun, number) ? "no answer" : "",
                () -> true);
    }
}
