// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.lock.LockKind;
import java.time.Duration;

/**
 * What a client requests.
 *
 * @param ttl in nanoseconds, like all durations of a history
 * @param longestWait how long the client waits for the lock
 * @param keep how long the lock stays taken after its release
 */
public record Terms(
        String resource, String token, long ttl, long longestWait, long minValidity, long keep, LockKind kind) {

    /** Creates terms without a wait and without a minimum validity. */
    public static Terms of(String resource, String token, Duration ttl) {
        return new Terms(resource, token, ttl.toNanos(), 0, 0, 0, LockKind.EXCLUSIVE);
    }

    public Terms waiting(Duration most) {
        return new Terms(resource, token, ttl, most.toNanos(), minValidity, keep, kind);
    }

    public Terms needing(Duration validity) {
        return new Terms(resource, token, ttl, longestWait, validity.toNanos(), keep, kind);
    }

    public Terms keeping(Duration time) {
        return new Terms(resource, token, ttl, longestWait, minValidity, time.toNanos(), kind);
    }

    public Terms of(LockKind other) {
        return new Terms(resource, token, ttl, longestWait, minValidity, keep, other);
    }
}
