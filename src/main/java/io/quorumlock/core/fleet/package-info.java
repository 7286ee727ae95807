/** The servers that keep the locks, as one replica sees them. */
package io.quorumlock.core.fleet;
