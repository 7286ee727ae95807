/** The one room that names meters. It listens to the engine's events; no resource's name is ever a label. */
package io.quorumlock.metrics;
