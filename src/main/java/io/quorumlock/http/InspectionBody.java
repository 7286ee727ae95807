// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.ResourceName;
import java.util.function.Predicate;

/**
 * The JSON of an inspected lock.
 *
 * @param waiters number of waiting clients on this replica
 */
record InspectionBody(boolean held, @JsonUnwrapped LockStateBody state, int waiters) {
    static InspectionBody of(Inspection.Held lock, Predicate<ResourceName> visible, int waiters) {
        return new InspectionBody(true, LockStateBody.of(lock, visible), waiters);
    }
}
