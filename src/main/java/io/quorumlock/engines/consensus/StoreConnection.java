// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.fleet.PolledServer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store with its connection. The methods declared here may be called from any thread. */
public interface StoreConnection extends RecordStore {

    /** Returns a future that completes when the store can be used for the first time. */
    CompletableFuture<Void> firstReady();

    /** Returns whether the store can be used. */
    boolean isReady();

    /** Returns what is wrong with the store, for people; empty if it can be used, or did not answer yet. */
    Optional<String> problem();

    /** Returns the servers of the store. */
    List<? extends PolledServer> members();

    /** Ends the connection. */
    CompletableFuture<Void> close();
}
