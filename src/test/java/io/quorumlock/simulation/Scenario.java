// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/** What a run simulates. */
enum Scenario {
    /** Redlock on masters, of which a minority is faulty at the same time. */
    REDLOCK,
    /** Redlock on masters, of which a majority loses data or time. */
    REDLOCK_BEYOND_THE_MODEL,
    /** Consensus on a store. */
    CONSENSUS
}
