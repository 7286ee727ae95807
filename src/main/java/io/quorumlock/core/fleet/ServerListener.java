// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.time.Duration;
import java.util.List;

/** A listener for the commands to each master, for metrics. */
public interface ServerListener {

    /** Called before the first command, with the names of all commands. */
    default void expects(String master, List<String> commands) {}

    /** Called after a reply, with the time since the command was enqueued. */
    void answered(String master, String command, Duration elapsed);

    /** Called after a command without a vote. */
    void failed(String master, ServerFailure reason);

    /** Called when the master reconnected as another server process. */
    void restarted(String master);
}
