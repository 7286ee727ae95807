/** Injected time: monotonic clock, scheduler, backoff, and calls to the event loop. */
package io.quorumlock.time;
