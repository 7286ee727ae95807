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
 * The periodic delete of records whose leases are over and that nobody replaced. Nobody waits for it: such a record
 * blocks no client.
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
            delete();
            deleteFromNowOn();
        });
    }

    private void delete() {
        Drift drift = context.settings().drift();
        Duration longest = context.settings().ttlMax();
        List<ResourceName> old = context.records().unchangedFor(longest.plus(drift.of(longest)));
        old.stream().limit(MOST).forEach(resource -> context.cleanUps()
                .start(
                        ResourceNames.of(resource),
                        this::isFree,
                        seen -> Change.delete(seen.stored()),
                        Duration.ZERO,
                        context));
    }

    private boolean isFree(Sighting seen) {
        Duration left = seen.untilFree(
                context.settings().drift(), context.engineContext().clock().now());
        return left.isNegative() || left.isZero();
    }
}
