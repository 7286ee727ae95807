// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/**
 * The periodic delete of records whose leases are over and that nobody replaced. Nobody waits for it: such a record blocks
 * no client of a replica that read it. A replica that connects later would count its TTL again. Records that this replica
 * did not read, for example because it connected after the last write, are read first. All calls are made one after the
 * other, so that they cost the store as much as one client (R14).
 */
final class Leftovers {
    static final Duration PERIOD = Duration.ofSeconds(5);

    private final Records records;
    private final Scheduler scheduler;

    Leftovers(Records records, Scheduler scheduler) {
        this.records = records;
        this.scheduler = scheduler;
    }

    void deleteFromNowOn() {
        scheduler.after(PERIOD, () -> {
            if (records.areWatched()) { // otherwise each call would count as a failure of the store
                read(records.unread(PERIOD).iterator());
            } else {
                deleteFromNowOn();
            }
        });
    }

    private void read(Iterator<ResourceName> unread) {
        if (unread.hasNext()) {
            records.read(unread.next(), reply -> unlessFailed(reply, () -> read(unread)));
        } else {
            delete(records.expired().iterator());
        }
    }

    private void delete(Iterator<Sighting> expired) {
        if (!expired.hasNext()) {
            deleteFromNowOn();
            return;
        }
        StoredRecord record = expired.next().stored();
        records.commit(
                List.of(Change.delete(record)),
                reply -> unlessFailed(reply, () -> {
                    if (reply instanceof StoreReply.Conflict) {
                        records.read(record.name(), again -> unlessFailed(again, () -> delete(expired)));
                    } else {
                        delete(expired);
                    }
                }));
    }

    private void unlessFailed(StoreReply reply, Runnable next) {
        if (reply instanceof StoreReply.Failed) {
            deleteFromNowOn();
        } else {
            next.run();
        }
    }
}
