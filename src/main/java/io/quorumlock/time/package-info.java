/** Injected time: monotonic clock, scheduler, backoff, drift, and calls to the event loop. */
package io.quorumlock.time;
