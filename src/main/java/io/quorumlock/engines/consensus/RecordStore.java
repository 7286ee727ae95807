// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A linearizable store with one record for each lock.
 *
 * <p>Each call is answered exactly once, within the timeout of the store, on the event loop. Expected failures are
 * replies, never exceptions. No request is sent twice (R8).
 */
public interface RecordStore {

    /** The records of one read: even if all are as large as a store allows, a client accepts the reply. */
    int MOST_READS = 50;

    /**
     * Reads records, possibly one by one. The reply is not older than any write that was answered before the call.
     *
     * @param names at most {@link #MOST_READS}
     */
    void read(List<ResourceName> names, Consumer<StoreReply> reply);

    /** Makes all changes at once, or none of them if a record is not as a change expects it. */
    void commit(List<Change> changes, Consumer<StoreReply> reply);

    /** Reports all records and their changes from now on. */
    void watch(Watcher watcher);

    /**
     * Writes the uptime, unless another replica wrote it after this read. Then reports the uptime that the store has. Does nothing
     * without a connection.
     */
    void writeUptime(StoredUptime read, String text);

    /**
     * The uptime of the replicas, which is written beside the records.
     *
     * @param text empty before the first write
     * @param revision the number of its last write, as of a record
     * @param version the proof of having read it
     */
    record StoredUptime(String text, long revision, long version) {}

    /**
     * A change of one record, which depends on its present state.
     *
     * @param read the record that must still exist as it was read; empty if there must be none
     * @param text the new content; empty to delete the record
     */
    record Change(ResourceName name, Optional<StoredRecord> read, Optional<String> text) {
        /** Returns the write of a record that does not exist. */
        public static Change create(ResourceName name, String text) {
            return new Change(name, Optional.empty(), Optional.of(text));
        }

        /** Returns the delete of a record that is still the one that was read. */
        public static Change delete(StoredRecord read) {
            return new Change(read.name(), Optional.of(read), Optional.empty());
        }

        /** Returns the write of a record that is still the one that was read. */
        public static Change replace(StoredRecord read, String text) {
            return new Change(read.name(), Optional.of(read), Optional.of(text));
        }
    }

    /**
     * A listener for the records, called on the event loop. Reports can be late or missing. They name a write only
     * after it took effect.
     */
    interface Watcher {
        /** The revision of a write whose number is not known. */
        long UNKNOWN = 0;

        /** Called with the uptime before a restart, and after each attempt to write it. */
        void uptime(StoredUptime stored);

        /**
         * Called when changes are reported from now on. Earlier reports may be wrong. All existing records follow, and
         * then {@link #listed}.
         */
        void restarted();

        /** Called when changes since this time may not be reported, until the next restart. */
        void lost(MonotonicTime since);

        /** Called for each record that existed at a restart. */
        void exists(ResourceName name);

        /** Called after all records that existed at a restart. */
        void listed();

        /** Called after a record was written, by a store that reports no contents. */
        void changed(ResourceName name, long revision);

        /** Called after a record was written, by a store that reports contents. */
        void written(StoredRecord record);

        /** Called after a record was deleted. */
        void removed(ResourceName name, long revision);
    }
}
