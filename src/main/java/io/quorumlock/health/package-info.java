/** Probes: ready means that a majority of the nodes votes; alive means that the process answers. None asks Redis. */
package io.quorumlock.health;
