package io.quorumlock.redis;

import io.quorumlock.lock.NodeEvents;

/** What all links of a fleet share. */
record FleetContext(
        Roster roster,
        RestartGuard guard,
        FleetMemory memory,
        SuspensionDetector suspensions,
        Founding founding,
        NodeEvents events) {}
