// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/** A kind of fault in a run on a store. */
enum StoreFault {
    REPLICA_CUT,
    STORE_WITHOUT_LEADER,
    STORE_IS_SLOW,
    STORE_CONNECTION_BREAKS,
    STORE_ANSWER_LOST,
    REPLICA_CRASHES,
    REPLICA_PAUSES,
    REPLICA_SUSPENDED
}
