package io.quorumlock.redlock;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
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
    private final EngineContext engineContext;
    private final LockListener events;
    private final CleanUp cleanUp;
    private int listings;

    public QuorumDirectory(List<? extends LockNode> nodes, EngineContext engineContext, LockListener events) {
        this.nodes = List.copyOf(nodes);
        this.engineContext = engineContext;
        this.events = events;
        this.cleanUp = new CleanUp(this.nodes, RedlockSettings.CLEAN_UPS_MAX, engineContext);
    }

    @Override
    public CompletableFuture<Listing> list(PageTerms terms) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            if (listings == MOST_LISTINGS) {
                answer.complete(new Listing.Busy(MOST_LISTINGS));
                return;
            }
            listings++;
            CompletableFuture<Listing> read = new CompletableFuture<>();
            read.whenComplete((listing, bug) -> listings--);
            LoopCalls.follow(read, answer);
            LoopCalls.failIfItThrows(read, () -> new NameSearch(terms, nodes, engineContext, answer::isDone)
                    .run(found -> new PageInspection(found, nodes, engineContext.loop(), read::complete).run()));
        });
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource) {
        return LoopCalls.run(engineContext.loop(), answer -> new ForceAttempt(resource, nodes, cleanUp, outcome -> {
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
