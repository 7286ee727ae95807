/**
 * Locks as records in a linearizable store, changed by compare-and-set. A lease is over when the last write of its holder
 * was seen for the duration of the lease, so that only the rates of clocks matter. The engine depends on no store and on no
 * system clock, and runs on one thread.
 */
package io.quorumlock.engines.consensus;
