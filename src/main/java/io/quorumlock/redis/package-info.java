/**
 * The one room that knows Redis: a held connection per node with commands written in batches, the scripts, and what they
 * answer. Runs on the engine's one event loop.
 */
package io.quorumlock.redis;
