/** Start, end, and the composition root: creates the parts from the settings. No other package depends on it. */
package io.quorumlock.app;
