// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.engine.EngineSettings;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The directory of locks on independent masters, by majority.
 *
 * <p>Thread-safe. All state is confined to the event loop of the engine.
 */
public final class QuorumDirectory implements LockDirectory {
    /** Maximum number of concurrent listings, each of which reads every lock of every master (R14). */
    private static final int MAX_LISTINGS = 2;

    private final List<LockMaster> masters;
    private final EngineContext engineContext;
    private final LockListener listener;
    private final CleanUp cleanUp;
    private int listings;

    public QuorumDirectory(
            List<? extends LockMaster> masters,
            EngineSettings settings,
            EngineContext engineContext,
            LockListener listener) {
        this.masters = List.copyOf(masters);
        this.engineContext = engineContext;
        this.listener = listener;
        this.cleanUp = new CleanUp(this.masters, settings, engineContext);
    }

    @Override
    public CompletableFuture<Listing> list(PageTerms terms) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            if (listings == MAX_LISTINGS) {
                answer.complete(new Listing.Busy(MAX_LISTINGS));
                return;
            }
            listings++;
            CompletableFuture<Listing> result = new CompletableFuture<>();
            result.whenComplete((listing, bug) -> listings--);
            LoopCalls.follow(result, answer);
            LoopCalls.failIfItThrows(result, () -> new NameSearch(terms, masters, engineContext, answer::isDone)
                    .run(found -> new PageInspection(found, masters, engineContext.loop(), result::complete).run()));
        });
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms) {
        return LoopCalls.run(
                engineContext.loop(), answer -> new ForceAttempt(resource, terms, masters, cleanUp, outcome -> {
                            answer.complete(outcome);
                            listener.forceRelease(outcome);
                        })
                        .run());
    }

    /** Returns the number of deletes by forced releases that unreachable masters have not acknowledged. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
