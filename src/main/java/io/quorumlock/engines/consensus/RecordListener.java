// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.util.Optional;

/** A listener for changes of records. */
interface RecordListener {
    /** Called when all records are reported from now on. Earlier changes may be missing. */
    void restarted();

    /** Called when changes since then may be missing. */
    default void lost(MonotonicTime since) {}

    /** Returns whether the content of a record is read as soon as the store reports that it changed. */
    default boolean needs(ResourceName name) {
        return false;
    }

    /** Called when a needed record changed and could not be read. */
    default void unreadable(ResourceName name) {}

    /**
     * Called once for each new version whose content becomes known.
     *
     * @param before the version that was read before, which need not be the previous one
     */
    default void written(Optional<KnownLock> before, KnownLock now) {}

    /**
     * Called once for each deleted record.
     *
     * @param last the record, if this replica had read it
     */
    void removed(ResourceName name, Optional<KnownLock> last);
}
