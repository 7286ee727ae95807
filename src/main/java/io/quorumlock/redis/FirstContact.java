package io.quorumlock.redis;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The result of the first connection attempt to a node.
 *
 * @param outcome completes with the reason why the server cannot be a node; empty if it can be one, or is down
 * @param up completes when the node votes for the first time
 */
record FirstContact(CompletableFuture<Optional<String>> outcome, CompletableFuture<Void> up) {
    FirstContact() {
        this(new CompletableFuture<>(), new CompletableFuture<>());
    }

    void succeeded() {
        outcome.complete(Optional.empty());
    }

    void refused(String why) {
        outcome.complete(Optional.of(why));
    }
}
