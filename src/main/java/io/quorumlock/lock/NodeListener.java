// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.time.Duration;

/** A listener for the commands to each node, for metrics. */
public interface NodeListener {

    /** Called after a reply, with the time since the command was enqueued. */
    void answered(String node, String command, Duration elapsed);

    /** Called after a command without a vote. */
    void failed(String node, NodeFailure reason);

    /** Called when the node reconnected as another server process. */
    void restarted(String node);
}
