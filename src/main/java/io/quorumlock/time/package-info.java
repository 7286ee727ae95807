/** Time and chance as they are passed in: a monotonic clock, timers, and growing random delays. */
package io.quorumlock.time;
