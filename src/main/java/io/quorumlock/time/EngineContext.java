package io.quorumlock.time;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Is everything that an algorithm must not reach for by itself.
 *
 * @param wallClock may step; of use only where a wrong time does no harm
 * @param loop the one thread that owns the algorithm's state; runs what is handed over from other threads
 * @param random unpredictable where tokens are minted from it, seeded in simulation
 */
public record EngineContext(
        MonotonicClock clock, InstantSource wallClock, Scheduler scheduler, Executor loop, RandomGenerator random) {}
