// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Operations for operators: lists locks and breaks a lock. Clients use the {@link LockEngine}.
 *
 * <p>Every call completes within a bounded time, with a value for every expected outcome; a failed future is a bug. If
 * the caller cancels its future, a listing ends, but a forced release is completed.
 */
public interface LockDirectory {

    /** Lists the locks after a name, ordered by name. Reads every lock of every master. */
    CompletableFuture<Listing> list(PageTerms terms);

    /** Deletes the current lease of the resource, and no later one (R3, R6). */
    CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, Optional<Owner> owner);

    /**
     * The locks to list.
     *
     * @param prefix selects resources by name
     * @param after the last name of the previous page; empty for the first page
     * @param limit maximum number of locks on a page, at least 1
     */
    record PageTerms(ResourcePrefix prefix, Optional<ResourceName> after, int limit) {

        public PageTerms {
            if (limit < 1) {
                throw new IllegalArgumentException("limit must be 1 or more");
            }
        }
    }
}
