// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.Listing;
import io.quorumlock.lock.Listing.HeldLock;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.LoopCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The read of one page of locks: their names, then their records, in batches. */
final class PageRead {
    private static final int BATCH_SIZE = 50;

    private final PageTerms terms;
    private final RecordStore store;
    private final Records records;
    private final CompletableFuture<Listing> answer;
    private final List<HeldLock> locks = new ArrayList<>();
    private List<ResourceName> names = List.of();
    private boolean isLast;

    PageRead(PageTerms terms, RecordStore store, Records records, CompletableFuture<Listing> answer) {
        this.terms = terms;
        this.store = store;
        this.records = records;
        this.answer = answer;
    }

    void run() {
        store.names(
                terms,
                reply -> LoopCalls.failIfItThrows(answer, () -> {
                    if (reply instanceof StoreReply.Names found) {
                        isLast = found.names().size() <= terms.limit();
                        names = found.names().stream().limit(terms.limit()).toList();
                        readFrom(0);
                    } else {
                        fail();
                    }
                }));
    }

    private void fail() {
        List<HeldLock> known = records.unexpired().stream()
                .filter(lease -> terms.include(lease.stored().name()))
                .sorted(Comparator.comparing(lease -> lease.stored().name().text()))
                .limit(terms.limit())
                .map(lease -> new HeldLock(lease.stored().name(), lease.held(records.now())))
                .toList();
        answer.complete(new Listing.NoQuorum(RecordOperation.noAnswer(Effect.NONE), known));
    }

    private void readFrom(int first) {
        if (first == names.size()) {
            Optional<ResourceName> last = isLast ? Optional.empty() : Optional.of(names.get(names.size() - 1));
            answer.complete(new Listing.Page(List.copyOf(locks), last));
            return;
        }
        List<ResourceName> batch = names.subList(first, Math.min(names.size(), first + BATCH_SIZE));
        records.read(
                batch,
                complete -> LoopCalls.failIfItThrows(answer, () -> {
                    if (complete) {
                        batch.forEach(this::addIfHeld);
                        readFrom(first + batch.size());
                    } else {
                        fail();
                    }
                }));
    }

    private void addIfHeld(ResourceName resource) {
        records.unexpired(resource)
                .map(lease -> new HeldLock(resource, lease.held(records.now())))
                .ifPresent(locks::add);
    }
}
