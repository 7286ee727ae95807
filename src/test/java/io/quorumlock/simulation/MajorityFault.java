// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/** A fault outside the model, which affects a majority of the masters at once. */
enum MajorityFault {
    CLOCKS_STEPPED,
    MASTERS_EMPTIED,
    MASTERS_FLUSHED,
    LOCKS_EVICTED
}
