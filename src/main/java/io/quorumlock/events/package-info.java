/** Lock events that a majority of the nodes announced. */
package io.quorumlock.events;
