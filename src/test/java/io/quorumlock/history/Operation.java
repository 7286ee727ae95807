// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

/** A kind of call, or an event of a session. */
public enum Operation {
    ACQUIRE,
    EXTEND,
    RELEASE,
    /** A forced release of the current lease, whatever its token. */
    BREAK,
    /** The opening of a session, with its first lease. */
    SESSION,
    SESSION_EXTENSION,
    /** The last event of a session. It contains a lease if validity remains. */
    SESSION_END;

    boolean isEvent() {
        return this == SESSION_EXTENSION || this == SESSION_END;
    }
}
