// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.KnownVersions.Slice;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The periodic delete of records that keep nobody out and that nobody replaced. Nobody waits for it: such a record blocks
 * no client of a replica that read it. A replica that connects later would count its TTL again. Records that this replica
 * did not read, for example because it connected after the last write, are read as well. Reads follow each other, and so do
 * deletes, so that they cost the store as much as two clients (R14).
 */
final class Leftovers {
    static final Duration PERIOD = Duration.ofSeconds(5);

    /** The records that one transaction deletes. */
    private static final int BATCH_SIZE = 50;

    private final Records records;
    private final EngineContext engineContext;

    Leftovers(Records records, EngineContext engineContext) {
        this.records = records;
        this.engineContext = engineContext;
    }

    void deleteFromNowOn() {
        readLater();
        deleteLater();
    }

    private void readLater() {
        findLater(after -> records.unread(PERIOD, after), unread -> read(unread, this::readLater));
    }

    /** Finds nothing without a connection: each call would count as a failure of the store. */
    private <T> void findLater(Function<Optional<ResourceName>, Slice<T>> search, Consumer<List<T>> then) {
        engineContext.scheduler().after(PERIOD, () -> {
            if (records.areWatched()) {
                find(search, Optional.empty(), new ArrayList<>(), then);
            } else {
                then.accept(List.of());
            }
        });
    }

    /** Searches all records, some in each turn of the event loop. */
    private <T> void find(
            Function<Optional<ResourceName>, Slice<T>> search,
            Optional<ResourceName> after,
            List<T> found,
            Consumer<List<T>> then) {
        Slice<T> slice = search.apply(after);
        found.addAll(slice.found());
        if (slice.last().isPresent()) {
            engineContext.loop().execute(() -> find(search, slice.last(), found, then));
        } else {
            then.accept(found);
        }
    }

    /** Reads batches of records one after the other, until one cannot be read. */
    private void read(List<ResourceName> names, Runnable then) {
        int batch = Math.min(RecordStore.MOST_READS, names.size());
        records.read(names.subList(0, batch), complete -> {
            if (complete && batch < names.size()) {
                read(names.subList(batch, names.size()), then);
            } else {
                then.run();
            }
        });
    }

    private void deleteLater() {
        findLater(records::expired, expired -> {
            if (!expired.isEmpty()) {
                // Replicas that begin with the same one would find most of them already deleted.
                Collections.rotate(expired, engineContext.random().nextInt(expired.size()));
            }
            delete(expired);
        });
    }

    private void delete(List<KnownLock> expired) {
        if (expired.isEmpty()) {
            deleteLater();
            return;
        }
        List<KnownLock> batch = expired.subList(0, Math.min(BATCH_SIZE, expired.size()));
        List<KnownLock> rest = expired.subList(batch.size(), expired.size());
        records.commit(
                batch.stream()
                        .map(record -> Change.delete(record.stored().orElseThrow()))
                        .toList(),
                List.of(),
                reply -> {
                    if (reply instanceof StoreReply.Failed) {
                        deleteLater();
                    } else if (reply instanceof StoreReply.Conflict) {
                        // The reports of what changed may not have arrived.
                        read(batch.stream().map(KnownLock::resource).toList(), () -> delete(rest));
                    } else {
                        delete(rest);
                    }
                });
    }
}
