/**
 * Locks as records in a linearizable store, changed by compare-and-set. A lease is over when its record was seen
 * unchanged for the TTL, so that only the rates of clocks matter. The engine depends on no store and on no system clock,
 * and runs on one thread.
 */
package io.quorumlock.consensus;
