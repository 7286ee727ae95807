// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordOperation.OperationContext;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;

/**
 * The periodic delete of records whose leases are over and that nobody replaced. Nobody waits for it: such a record blocks
 * no client of a replica that read it. A replica that connects later would count its TTL again. Records that this replica
 * did not read, for example because it connected after the last write, are read first.
 */
final class Leftovers {
    static final Duration PERIOD = Duration.ofSeconds(5);
    /** Maximum number of records to read, and of those to delete, in one period (R14). */
    private static final int MOST = 500;

    private final OperationContext context;

    Leftovers(OperationContext context) {
        this.context = context;
    }

    void deleteFromNowOn() {
        context.engineContext().scheduler().after(PERIOD, () -> {
            if (context.records().areWatched()) { // otherwise each call would count as a failure of the store
                readUnread();
                deleteOver();
            }
            deleteFromNowOn();
        });
    }

    private void readUnread() {
        Records records = context.records();
        records.names(Optional::isEmpty, MOST).forEach(name -> records.read(name, reply -> {}));
    }

    private void deleteOver() {
        context.records()
                .names(record -> record.filter(this::isFree).isPresent(), MOST)
                .forEach(this::delete);
    }

    private void delete(ResourceName name) {
        context.cleanUps()
                .start(
                        ResourceNames.of(name),
                        this::isFree,
                        seen -> Change.delete(seen.stored()),
                        Duration.ZERO,
                        context);
    }

    private boolean isFree(Sighting seen) {
        return seen.isFree(context.settings().drift(), context.records().now());
    }
}
