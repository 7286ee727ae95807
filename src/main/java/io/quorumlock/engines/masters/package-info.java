/** The masters of a fleet: their links, and which of them may vote. */
package io.quorumlock.engines.masters;
