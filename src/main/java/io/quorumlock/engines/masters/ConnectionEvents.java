// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.engines.redis.ClientErrors;
import io.quorumlock.engines.redis.MasterConnection;
import java.time.Duration;
import java.util.Optional;

/** The events of a connection, for the link that owns it. The link ignores those of an earlier connection. */
interface ConnectionEvents {

    /** Returns whether this is still the connection of the link. */
    boolean isCurrent(MasterConnection connection);

    /** Lets the master vote. */
    void admit(MasterConnection connection);

    /** Lets the master vote, and counts it as down: it refuses writes, or its answers are too late. */
    void admitAsDown(MasterConnection connection, ServerFailure reason, String why);

    /** Keeps a master that may have lost votes from voting for this time (R9). */
    void quarantine(MasterConnection connection, Duration remaining, String why);

    /** Keeps a master from voting until a later check admits it (R2). */
    void withhold(MasterConnection connection, String why);

    /** Closes the connection to a server that is not a master of this fleet yet (R2), and tries again later. */
    void refuse(MasterConnection connection, String why);

    /** Closes a connection that ended or does not respond, and reconnects. */
    void lose(MasterConnection connection, ServerFailure reason, Optional<String> detail);

    /** Closes a connection because of an error, and reconnects. */
    default void lose(MasterConnection connection, Throwable cause) {
        lose(connection, ClientErrors.reason(cause), ClientErrors.detail(cause));
    }
}
