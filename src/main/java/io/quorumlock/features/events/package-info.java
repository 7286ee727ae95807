/** Lock events that a majority of the masters announced. */
package io.quorumlock.features.events;
