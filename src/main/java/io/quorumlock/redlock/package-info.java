/**
 * The algorithm: one round over N nodes, what a majority means, what is left of a lease, and who cleans up. Knows neither
 * Redis nor HTTP nor a clock of its own, so that the same code runs in simulation. All of it runs on one thread.
 */
package io.quorumlock.redlock;
