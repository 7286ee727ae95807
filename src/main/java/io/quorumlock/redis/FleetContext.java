package io.quorumlock.redis;

import io.quorumlock.lock.NodeListener;

/** Dependencies shared by all links of a fleet. */
record FleetContext(
        ServerIdentities identities,
        RestartGuard guard,
        FleetHistory history,
        SuspensionDetector suspensions,
        FleetBootstrap bootstrap,
        NodeListener listener) {}
