// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/** A feature that clients use. Each must be used often enough to be tested. */
enum Feature {
    WAITED,
    MIN_VALIDITY_ASKED,
    REPLAYED,
    /** A holder repeated its acquire, with a wait, while others waited at the same replica. */
    REPEATED_BEHIND_WAITERS,
    /** A token that had a lease before got another one. */
    TOKEN_REUSED,
    EXTENDED_BY_ANOTHER_TTL,
    RELEASED_THROUGH_ANOTHER_REPLICA,
    /** The client disconnected before its release was answered. */
    RELEASE_ABANDONED,
    BROKEN_BY_FORCE,
    SESSION_BEGUN,
    SESSION_EXTENDED,
    SESSION_ENDED_BY_CLIENT,
    SESSION_REOPENED
}
