/**
 * The Redlock algorithm: rounds over N masters, majorities, validity of leases, and clean-up. It depends neither on Redis
 * nor on HTTP nor on a system clock, so that the same code runs in simulation. It runs on one thread.
 */
package io.quorumlock.engines.redlock;
