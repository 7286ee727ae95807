// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordOperation.OperationContext;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.Drift;
import java.time.Duration;
import java.util.List;

/**
 * The periodic delete of records whose leases are over and that nobody replaced. Nobody waits for it: such a record blocks
 * no client of a replica that read it. A replica that connects later would count its TTL again.
 */
final class Leftovers {
    static final Duration PERIOD = Duration.ofSeconds(5);
    /** Maximum number of records in one period (R14). */
    private static final int MOST = 500;

    private final OperationContext context;

    Leftovers(OperationContext context) {
        this.context = context;
    }

    void deleteFromNowOn() {
        context.engineContext().scheduler().after(PERIOD, () -> {
            if (context.records().areWatched()) { // otherwise each delete would count as a failure of the store
                delete();
            }
            deleteFromNowOn();
        });
    }

    private void delete() {
        Drift drift = context.settings().drift();
        Duration longest = context.settings().ttlMax();
        List<ResourceName> over = context.records().over(drift, longest);
        over.stream().limit(MOST).forEach(resource -> context.cleanUps()
                .start(
                        ResourceNames.of(resource),
                        seen -> seen.isFree(drift, context.records().now()),
                        seen -> Change.delete(seen.stored()),
                        Duration.ZERO,
                        context));
    }
}
