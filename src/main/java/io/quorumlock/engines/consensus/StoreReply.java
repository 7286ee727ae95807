// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import java.util.List;
import java.util.Optional;

/** The reply of a store. */
public sealed interface StoreReply {

    /**
     * The records were read.
     *
     * @param records in the order of their names; empty if there is no such record
     */
    record Found(List<Optional<StoredRecord>> records) implements StoreReply {}

    /**
     * All changes were made.
     *
     * @param written the written records, in the order of their changes
     */
    record Committed(List<StoredRecord> written) implements StoreReply {}

    /**
     * Nothing was changed, because a record was not as a change expected it.
     *
     * @param present what a read of the records would say, in the order of the changes; empty if the store does not tell
     */
    record Conflict(List<Optional<StoredRecord>> present) implements StoreReply {
        /** The reply of a store that does not tell more. */
        public static final Conflict UNTOLD = new Conflict(List.of());
    }

    /**
     * The store did not answer in time, or refused.
     *
     * @param effect unknown if the changes may have been made, or may still be made
     */
    record Failed(Effect effect, ServerFailure reason) implements StoreReply {
        /** The reply to a call that was not sent, because there is no connection. */
        public static final Failed NOT_CONNECTED = new Failed(Effect.NONE, ServerFailure.DISCONNECTED);

        public Failed(Effect effect) {
            this(effect, ServerFailure.TIMEOUT);
        }
    }
}
