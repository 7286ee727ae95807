package io.quorumlock.tracing;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Makes what operators ask for spans. */
final class TracedDirectory implements LockDirectory {
    private final LockDirectory directory;
    private final Rounds rounds;

    TracedDirectory(LockDirectory directory, Rounds rounds) {
        this.directory = directory;
        this.rounds = rounds;
    }

    @Override
    public CompletableFuture<Listing> list(PageTerms terms) {
        return rounds.run("list", Optional.empty(), Origin.current(), () -> directory.list(terms));
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource) {
        return rounds.run(
                "force release", Optional.of(resource), Origin.current(), () -> directory.forceRelease(resource));
    }
}
