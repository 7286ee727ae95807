// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Optional;

/** A fault of a replica. */
abstract class ReplicaInjury implements Injury {
    final Replica replica;

    ReplicaInjury(Replica replica) {
        this.replica = replica;
    }

    static Injury of(PlannedFault fault, Field field) {
        Replica replica = field.replicas().get(fault.target() - 1);
        return fault.kind() == FaultKind.KILL_REPLICA
                ? new Kill(replica)
                : new Suspend(replica, fault.target(), field.watch());
    }

    @Override
    public boolean isOver() {
        return true;
    }

    private static final class Kill extends ReplicaInjury {
        private long before;

        Kill(Replica replica) {
            super(replica);
        }

        @Override
        public void begin() {
            before = replica.pid();
            replica.kill();
        }

        @Override
        public void end() {
            replica.startAgain();
        }

        @Override
        public Optional<String> evidence() {
            return Optional.of("process " + before + " became " + replica.pid())
                    .filter(changed -> before != replica.pid());
        }
    }

    private static final class Suspend extends ReplicaInjury {
        private final int number;
        private final NodesWatch watch;
        private long begun;

        Suspend(Replica replica, int number, NodesWatch watch) {
            super(replica);
            this.number = number;
            this.watch = watch;
        }

        @Override
        public void begin() {
            begun = System.nanoTime();
            replica.suspend();
        }

        @Override
        public void end() {
            replica.resume();
        }

        @Override
        public Optional<String> evidence() {
            return Optional.of("no answer").filter(any -> watch.wasSilentSince(begun, number));
        }
    }
}
