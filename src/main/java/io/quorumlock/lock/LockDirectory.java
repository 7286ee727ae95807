package io.quorumlock.lock;

import java.util.concurrent.CompletableFuture;

/**
 * Operations for operators: lists locks and breaks a lock. Clients use the {@link LockEngine}.
 *
 * <p>Every call completes within a bounded time, with a value for every expected outcome; a failed future is a bug. If
 * the caller cancels its future, a listing ends, but a forced release is completed.
 */
public interface LockDirectory {

    /** Lists the locks after a name, ordered by name. Reads every lock of every node. */
    CompletableFuture<Listing> list(PageTerms terms);

    /** Deletes the current lease of the resource, and no later one (R3, R6). */
    CompletableFuture<ForcedRelease> forceRelease(ResourceName resource);
}
