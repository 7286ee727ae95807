// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.ResourceName;

/** The number of waiters on this replica. */
public interface WaiterCount {
    int all();

    int on(ResourceName resource);
}
