// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The connection to a store. May be used from any thread. */
public interface StoreConnection {

    /** Returns a future that completes when the store can be used for the first time. */
    CompletableFuture<Void> firstReady();

    /** Returns whether the store can be used. */
    boolean isReady();

    /** Returns the servers of the store. */
    List<? extends StoreMember> members();

    /** Ends the connection. */
    CompletableFuture<Void> close();
}
