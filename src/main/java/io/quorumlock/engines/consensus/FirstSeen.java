// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.loop.MonotonicTime;
import java.util.Optional;

/**
 * The time from which a lease counts.
 *
 * @param since never before the write took effect; before it is written, the time of the decision
 * @param sent when this replica decided to send the write; empty if another one did
 */
record FirstSeen(MonotonicTime since, Optional<MonotonicTime> sent) {

    /** Returns the value for a write that this replica is about to send. */
    static FirstSeen ofOwn(MonotonicTime decided) {
        return new FirstSeen(decided, Optional.of(decided));
    }
}
