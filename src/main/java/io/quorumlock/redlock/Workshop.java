package io.quorumlock.redlock;

import io.quorumlock.time.MonotonicClock;

/** Is what attempts work with. */
record Workshop(Rules rules, MonotonicClock clock, CleanUp cleanUp, Fencing fencing) {}
