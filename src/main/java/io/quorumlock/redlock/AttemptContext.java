package io.quorumlock.redlock;

import io.quorumlock.time.MonotonicClock;

/** Dependencies shared by all attempts. */
record AttemptContext(RedlockSettings settings, MonotonicClock clock, CleanUp cleanUp, Fencing fencing) {}
