// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Operations for operators: lists locks and breaks a lock. Clients use the {@link LockEngine}.
 *
 * <p>Every call completes within a bounded time, with a value for every expected outcome; a failed future is a bug. If
 * the caller cancels its future, a listing ends, but a forced release is completed.
 */
public interface LockDirectory {

    /** Lists the locks after a name, ordered by name. Reads the names of all locks. */
    CompletableFuture<Listing> list(PageTerms terms);

    /** Deletes the selected leases that the resource has now, and no later one (R3, R6). */
    CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms);

    /**
     * The leases of a resource to delete.
     *
     * @param owner if present, only leases of this owner
     * @param fence if present, only leases with this fencing token
     */
    record ForceTerms(Optional<Owner> owner, Optional<FencingToken> fence) {
        public static final ForceTerms ALL = new ForceTerms(Optional.empty(), Optional.empty());

        /** Returns whether a lease with this owner and fencing token is to be deleted. */
        public boolean select(Optional<Owner> itsOwner, Optional<FencingToken> itsFence) {
            return (owner.isEmpty() || owner.equals(itsOwner)) && (fence.isEmpty() || fence.equals(itsFence));
        }

        public boolean areAll() {
            return equals(ALL);
        }
    }

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
