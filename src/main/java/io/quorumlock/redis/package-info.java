/**
 * The Redis adapter: one connection per master with commands written in batches, the Lua scripts, the restart guard, and the
 * subscriptions. Runs on the event loop of the engine.
 */
package io.quorumlock.redis;
