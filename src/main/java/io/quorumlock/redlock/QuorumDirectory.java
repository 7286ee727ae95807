package io.quorumlock.redlock;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEvents;
import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.time.Surroundings;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
        return LoopCalls.run(surroundings.loop(), answer -> {
            if (listings == MOST_LISTINGS) {
                answer.complete(new Listing.Busy(MOST_LISTINGS));
                return;
            }
            listings++;
            CompletableFuture<Listing> read = new CompletableFuture<>();
            read.whenComplete((listing, bug) -> listings--);
            LoopCalls.follow(read, answer);
            LoopCalls.failIfItThrows(read, () -> new NameSearch(terms, nodes, surroundings, answer::isDone)
                    .run(found -> new PageReading(found, nodes, surroundings.loop(), read::complete).run()));
        });
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource) {
        return LoopCalls.run(surroundings.loop(), answer -> new ForceAttempt(resource, nodes, cleanUp, outcome -> {
                    answer.complete(outcome);
                    events.forceRelease(outcome);
                })
                .run());
    }

    /** Counts what forced releases left on nodes that could not be reached since. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
