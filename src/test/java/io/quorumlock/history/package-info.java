/** Checks of histories of calls against the guarantees, shared by the simulation and the tests with real processes. */
package io.quorumlock.history;
