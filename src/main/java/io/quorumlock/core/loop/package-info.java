/** What runs on the event loop of the engine: clock, scheduler and random, drift, ids, and deletes that are repeated. */
package io.quorumlock.core.loop;
