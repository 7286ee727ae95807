/** Turns for reboots of machines, by the protocol FleetLock. */
package io.quorumlock.features.fleetlock;
