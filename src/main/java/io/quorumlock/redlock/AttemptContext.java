package io.quorumlock.redlock;

import io.quorumlock.time.MonotonicClock;

/** Is what attempts work with. */
record AttemptContext(RedlockSettings rules, MonotonicClock clock, CleanUp cleanUp, Fencing fencing) {}
