// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.RestoreCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A master that counts the vote requests in flight. */
record CountingMaster(LockMaster master, Cluster cluster) implements LockMaster {

    @Override
    public OptionalLong wallClock() {
        return cluster.conditions.timeIsUnknown() ? OptionalLong.empty() : master.wallClock();
    }

    @Override
    public void acquire(AcquireCommand claim, Consumer<MasterReply> reply) {
        cluster.addVotesInFlight(claim.token(), 1);
        master.acquire(claim, result -> {
            if (result instanceof MasterReply.Failed failed && !failed.sent()) {
                cluster.addVotesInFlight(claim.token(), -1);
            }
            reply.accept(result);
        });
    }

    @Override
    public void extend(ResourceNames resources, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        master.extend(resources, token, ttl, reply);
    }

    @Override
    public void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        master.raise(resources, token, fence, reply);
    }

    @Override
    public void restore(RestoreCommand command, Optional<Duration> permission, Consumer<MasterReply> reply) {
        master.restore(command, permission, result -> {
            if (result instanceof MasterReply.Restored) {
                cluster.coverage.count(Coverage.Measure.RESTORED);
            }
            reply.accept(result);
        });
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        master.release(condition, reply);
    }

    @Override
    public void inspect(ResourceName resource, Consumer<MasterReply> reply) {
        master.inspect(resource, reply);
    }

    @Override
    public void scan(ScanStep step, Consumer<MasterReply> reply) {
        master.scan(step, reply);
    }
}
