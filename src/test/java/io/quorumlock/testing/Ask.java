// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.DeleteCondition.Reason;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.RestoreCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A command to a master that works with every implementation of {@link LockMaster}. */
@FunctionalInterface
public interface Ask {
    /** The fencing token from which counters start in tests. */
    FencingToken CANDIDATE = new FencingToken(1_800_000_000_000_000L);

    void put(LockMaster master, Consumer<MasterReply> reply);

    static Ask acquire(ResourceName resource, LeaseToken token, String attempt, Duration ttl, Optional<Owner> owner) {
        return acquire(
                resource,
                token,
                attempt,
                CANDIDATE,
                new AcquireTerms(ttl, Duration.ZERO, Optional.of(token), owner, LockKind.EXCLUSIVE));
    }

    static Ask acquire(
            ResourceName resource, LeaseToken token, String attempt, FencingToken candidate, AcquireTerms terms) {
        return acquire(resource, token, attempt, candidate, terms, OptionalInt.empty());
    }

    static Ask acquire(
            ResourceName resource,
            LeaseToken token,
            String attempt,
            FencingToken candidate,
            AcquireTerms terms,
            OptionalInt slot) {
        AcquireCommand claim = new AcquireCommand(ResourceNames.of(resource), token, attempt, candidate, terms, slot);
        return (master, reply) -> master.acquire(claim, reply);
    }

    static Ask extend(ResourceName resource, LeaseToken token, Duration ttl) {
        return (master, reply) -> master.extend(ResourceNames.of(resource), token, ttl, reply);
    }

    static Ask raise(ResourceName resource, LeaseToken token, FencingToken fence) {
        return (master, reply) -> master.raise(ResourceNames.of(resource), token, fence, reply);
    }

    /** Permits to restore a lease on one lock. */
    static Ask permit(RestoreCommand command, Duration validity) {
        return (master, reply) -> master.restore(command, Optional.of(validity), reply);
    }

    static Ask restore(RestoreCommand command) {
        return (master, reply) -> master.restore(command, Optional.empty(), reply);
    }

    static Ask release(ResourceName resource, LeaseToken token) {
        return (master, reply) -> master.release(DeleteCondition.ofLease(ResourceNames.of(resource), token), reply);
    }

    /** Releases the lease, and keeps the resource. */
    static Ask keep(ResourceName resource, LeaseToken token, Duration keep) {
        return (master, reply) ->
                master.release(DeleteCondition.ofLease(ResourceNames.of(resource), token, keep), reply);
    }

    static Ask cleanUp(ResourceName resource, LeaseToken token, String attempt) {
        return (master, reply) -> master.release(
                DeleteCondition.ofAttempt(ResourceNames.of(resource), token, attempt, Reason.RELEASED), reply);
    }

    /** Deletes a lease that an attempt adopted, or that was extended, as a forced release does. */
    static Ask breakAdopted(ResourceName resource, LeaseToken token, String attempt, int extensionsUsed) {
        return (master, reply) -> master.release(
                DeleteCondition.ofValue(
                        ResourceNames.of(resource), token, attempt + "+", extensionsUsed, Reason.BROKEN),
                reply);
    }

    static Ask inspect(ResourceName resource) {
        return (master, reply) -> master.inspect(resource, reply);
    }

    static Ask scan(ScanStep step) {
        return (master, reply) -> master.scan(step, reply);
    }
}
