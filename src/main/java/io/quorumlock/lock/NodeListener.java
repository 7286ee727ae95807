package io.quorumlock.lock;

import java.time.Duration;

/** Hears what happens between this replica and each node. */
public interface NodeListener {

    /** Reports an answered command, from enqueued to answered. */
    void answered(String node, String command, Duration elapsed);

    /** Reports a command that brought no vote. */
    void failed(String node, NodeFailure reason);

    /** Reports that the node came back as another process. */
    void restarted(String node);
}
