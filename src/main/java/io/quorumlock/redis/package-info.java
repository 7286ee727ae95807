/**
 * The Redis adapter: one connection per node with commands written in batches, the Lua scripts, the restart guard, and the
 * subscriptions. Runs on the event loop of the engine.
 */
package io.quorumlock.redis;
