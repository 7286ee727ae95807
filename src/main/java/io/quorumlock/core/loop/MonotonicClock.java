// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

/** A clock that never steps and has no relation to the time of day (R4). */
@FunctionalInterface
public interface MonotonicClock {

    /** Returns the current reading. */
    MonotonicTime now();
}
