// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One of N independent masters.
 *
 * <p>Each call is answered exactly once, within the master's timeout, on the event loop, possibly before it returns.
 * Expected failures are replies, never exceptions. Commands to one master take effect in the order of the calls. No
 * command is sent twice (R8).
 */
public interface LockMaster {

    /**
     * Returns the master's wall clock in milliseconds since 1970: the reading of the last reply plus the time since then;
     * empty if the last reply is several seconds old.
     */
    OptionalLong wallClock();

    /** Writes the locks if all the resources are free. */
    void acquire(AcquireCommand command, Consumer<MasterReply> reply);

    /** Gives the locks a new TTL if the token still holds all of them. Never shortens it (R7). */
    void extend(ResourceNames resources, LeaseToken token, Duration ttl, Consumer<MasterReply> reply);

    /**
     * Stores the lease's fencing token if the token still holds the locks (R10). Keeps a larger one, because another
     * call may have returned it.
     */
    void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply);

    /**
     * Permits to restore a lease that a majority has, or writes it if that is permitted and stores its fencing token (R10).
     * Neither if another client has its place (R7). A delete that does not find the lease on this master ends the permission.
     *
     * @param permission how long the permission lasts, and the restored lease; empty to write the lease
     */
    void restore(RestoreCommand command, Optional<Duration> permission, Consumer<MasterReply> reply);

    /** Deletes each of the locks that meets the condition (R6). */
    void release(DeleteCondition condition, Consumer<MasterReply> reply);

    /** Reads the lock. */
    void inspect(ResourceName resource, Consumer<MasterReply> reply);

    /**
     * Returns some of the locks: a bounded step of a scan. A lock that exists during the whole scan is returned by one
     * of its steps. Locks of other programs are not returned.
     */
    void scan(ScanStep step, Consumer<MasterReply> reply);

    /**
     * One step of a scan of one master.
     *
     * @param from the cursor that the same master returned from the previous step; empty for the first
     */
    record ScanStep(NameRange range, Optional<String> from) {}

    /** The names to scan: those with a prefix, after one name and before another. */
    record NameRange(ResourcePrefix prefix, Optional<ResourceName> after, Optional<ResourceName> before) {

        /** Returns whether the text, which need not be a valid name, is in this range. */
        public boolean contains(String text) {
            return prefix.begins(text)
                    && (after.isEmpty() || after.get().text().compareTo(text) < 0)
                    && (before.isEmpty() || before.get().text().compareTo(text) > 0);
        }
    }
}
