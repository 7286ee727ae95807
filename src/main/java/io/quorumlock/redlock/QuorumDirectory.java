package io.quorumlock.redlock;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEvents;
import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Surroundings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Merges what independent nodes know of their locks.
 *
 * <p>May be called from any thread; everything else happens on the loop of its surroundings.
 */
public final class QuorumDirectory implements LockDirectory {
    /** Each reads every lock of every node (R14). */
    private static final int MOST_LISTINGS = 2;

    private final List<LockNode> nodes;
    private final Surroundings surroundings;
    private final LockEvents events;
    private final CleanUp cleanUp;
    private int listings;

    public QuorumDirectory(List<? extends LockNode> nodes, Surroundings surroundings, LockEvents events) {
        this.nodes = List.copyOf(nodes);
        this.surroundings = surroundings;
        this.events = events;
        this.cleanUp = new CleanUp(this.nodes, Rules.CLEAN_UPS_MAX, surroundings);
    }

    @Override
    public CompletableFuture<Listing> list(PageTerms terms) {
        CompletableFuture<Listing> answer = new CompletableFuture<>();
        surroundings.loop().execute(() -> {
            if (listings == MOST_LISTINGS) {
                answer.complete(new Listing.Busy(MOST_LISTINGS));
                return;
            }
            listings++;
            Consumer<Listing> end = listing -> {
                listings--;
                answer.complete(listing);
            };
            new NameSearch(terms, nodes, surroundings, answer::isDone)
                    .run(found -> new PageReading(found, nodes, surroundings.loop(), end).run());
        });
        return answer;
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource) {
        CompletableFuture<ForcedRelease> answer = new CompletableFuture<>();
        surroundings.loop().execute(() -> new ForceAttempt(resource, nodes, cleanUp, outcome -> {
                    answer.complete(outcome);
                    events.forceRelease(outcome);
                })
                .run());
        return answer;
    }

    /** Counts what forced releases left on nodes that could not be reached since. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
