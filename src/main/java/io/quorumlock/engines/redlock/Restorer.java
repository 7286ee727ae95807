// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;
import java.util.Optional;

/**
 * The restoration of extended leases on masters that do not have them (R7), after the answer of the extension. A release or a
 * forced release may run at the same time, and must not be undone:
 *
 * <ol>
 *   <li>The master permits it. A later delete that does not find the lease there ends the permission.
 *   <li>An earlier delete belongs to a call whose other deletes have taken effect or failed after a while.
 *   <li>If a majority still has the lease after that, no such call has succeeded, and the master writes the lease if the
 *       permission still exists.
 * </ol>
 */
final class Restorer {
    private final Fencing fencing;
    private final Scheduler scheduler;
    private final Duration longestRelease;

    /** @param longestRelease the longest time between the first and the last delete that count for one release */
    Restorer(Fencing fencing, Scheduler scheduler, Duration longestRelease) {
        this.fencing = fencing;
        this.scheduler = scheduler;
        this.longestRelease = longestRelease;
    }

    /** @param validity of the lease: the master keeps it no longer */
    void restore(LockMaster master, RestoreCommand command, Duration validity) {
        if (validity.isZero()) {
            return;
        }
        master.restore(command, Optional.of(validity), reply -> {
            if (reply instanceof MasterReply.Permitted permitted) {
                scheduler.after(longestRelease, () -> confirm(master, command.with(permitted.permit())));
            }
        });
    }

    private void confirm(LockMaster master, RestoreCommand command) {
        fencing.raise(command.resources(), command.token(), command.fence(), held -> {
            if (held) {
                master.restore(command, Optional.empty(), ignored -> {});
            }
        });
    }
}
