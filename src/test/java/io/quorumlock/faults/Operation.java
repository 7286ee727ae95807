// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

/** A kind of call, or an event that a client receives. */
enum Operation {
    ACQUIRE,
    EXTEND,
    RELEASE,
    /** A forced release of the current lease, whatever its token. */
    BREAK,
    /** The opening of a session, with its first lease. */
    SESSION,
    /** A later event of a session, with the request time of the session. */
    EVENT
}
