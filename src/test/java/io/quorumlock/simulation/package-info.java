/**
 * The simulation of the real algorithm: one thread, one seed, one heap of events. Masters, replicas, clients and the
 * network fail as the model allows, and a checker compares the history with the guarantees.
 */
package io.quorumlock.simulation;
