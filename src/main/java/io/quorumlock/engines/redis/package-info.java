/**
 * The connection to a master: commands written in batches, the Lua scripts with their arguments and replies, and the subscriptions.
 * Runs on the event loop of the engine.
 */
package io.quorumlock.engines.redis;
