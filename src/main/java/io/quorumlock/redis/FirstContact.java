package io.quorumlock.redis;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How the first contact with a node went.
 *
 * @param outcome the reason why the server can never be a node; empty if it was reached, or is away
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
