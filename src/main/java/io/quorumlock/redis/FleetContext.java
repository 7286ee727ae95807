package io.quorumlock.redis;

import io.quorumlock.lock.NodeListener;

/** What all links of a fleet share. */
record FleetContext(
        ServerIdentities identities,
        RestartGuard guard,
        FleetHistory memory,
        SuspensionDetector suspensions,
        FleetBootstrap bootstrap,
        NodeListener events) {}
