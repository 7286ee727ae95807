// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.LoopCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The read of one page of locks: those that this replica knows. It reads the records that it did not read yet. */
final class PageRead {
    private final PageTerms terms;
    private final Records records;
    private final CompletableFuture<Listing> answer;
    private final List<HeldLock> locks = new ArrayList<>();
    private List<ResourceName> names = List.of();

    PageRead(PageTerms terms, Records records, CompletableFuture<Listing> answer) {
        this.terms = terms;
        this.records = records;
        this.answer = answer;
    }

    void run() {
        List<ResourceName> found = records.names(terms);
        names = found.stream().limit(terms.limit()).toList();
        if (!records.areWatched()) {
            fail();
            return;
        }
        boolean isLast = found.size() <= terms.limit();
        records.read(
                names.stream().filter(records::isUnread).toList(),
                complete -> LoopCalls.failIfItThrows(answer, () -> {
                    if (complete) {
                        names.forEach(this::addIfHeld);
                        Optional<ResourceName> last =
                                isLast ? Optional.empty() : Optional.of(names.get(names.size() - 1));
                        answer.complete(new Listing.Page(List.copyOf(locks), last));
                    } else {
                        fail();
                    }
                }));
    }

    private void fail() {
        names.forEach(this::addIfHeld);
        answer.complete(new Listing.NoQuorum(StoreVotes.noAnswer(Effect.NONE), List.copyOf(locks)));
    }

    private void addIfHeld(ResourceName resource) {
        records.known(resource)
                .flatMap(record -> record.held(records.now()))
                .map(held -> new HeldLock(resource, held))
                .ifPresent(locks::add);
    }
}
