// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/** A feature that clients use, and that a single call does not show. Each must be used often enough to be tested. */
enum Feature {
    /** A token that had a lease before got another one. */
    TOKEN_REUSED,
    EXTENDED_BY_ANOTHER_TTL,
    RELEASED_THROUGH_ANOTHER_REPLICA,
    SESSION_ENDED_BY_CLIENT,
    SESSION_REOPENED
}
