package io.quorumlock.lock;

import java.util.concurrent.CompletableFuture;

/**
 * Shows the locks that stand and breaks one: for operators, beside the {@link LockEngine} that clients use.
 *
 * <p>Every call answers within a bounded time, with a value for every expected outcome; a failed future is a bug. A caller
 * that leaves cancels its future: a listing ends then, a forced release is carried through.
 */
public interface LockDirectory {

    /** Lists the locks after a name, in the order of their names. Reads every lock to do so. */
    CompletableFuture<Listing> list(PageTerms terms);

    /** Ends the lease that stands on the resource now, whoever holds it, and no later one (R3, R6). */
    CompletableFuture<ForcedRelease> forceRelease(ResourceName resource);
}
