/** What happened to locks: what a majority of the nodes announced, told to those who listen here. */
package io.quorumlock.events;
