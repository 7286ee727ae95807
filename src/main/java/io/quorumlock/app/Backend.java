// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ReleaseSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An engine with the servers that keep its locks. */
record Backend(
        LockEngine engine,
        LockDirectory directory,
        ReleaseSignal signal,
        Announcements announcements,
        Fleet fleet,
        List<ServerGauge> gauges,
        Connections connections) {

    /** The connections to the servers. */
    interface Connections {
        /**
         * Connects to the servers, and reconnects until closed.
         *
         * @param patience maximum time to wait for the first contact with each server
         * @return the reasons why some servers can never be used, after the first contact with each
         */
        CompletableFuture<List<String>> open(Duration patience);

        /** Returns a future that completes when locks are available for the first time. */
        CompletableFuture<Void> firstQuorum();

        /** Returns why locks are not available, if the states of the servers do not show it. */
        Optional<String> problem();

        /**
         * Notes that the service has started. From now on it logs when locks are no longer available, and when they are
         * again, and the framework closes this engine at the end.
         */
        void started();

        /** Closes all connections permanently. */
        void close();
    }
}
