/**
 * Runs the real algorithm in a simulated world: one thread, one seed, one heap of events. Nodes, replicas, clients and the
 * network misbehave as the model allows, and a checker holds the history against the promises.
 */
package io.quorumlock.simulation;
