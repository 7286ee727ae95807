package io.quorumlock.events;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;

/** The announcement of a lock event by one node. */
public record Announcement(
        LockEvent.Kind kind, ResourceName resource, Optional<Owner> owner, FencingToken fence, Duration left) {}
