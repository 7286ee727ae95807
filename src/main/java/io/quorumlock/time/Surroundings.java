package io.quorumlock.time;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Is everything that an algorithm must not reach for by itself.
 *
 * @param loop the one thread that owns the algorithm's state; runs what is handed over from other threads
 * @param chance unpredictable where tokens are minted from it, seeded in simulation
 */
public record Surroundings(MonotonicClock clock, Scheduler scheduler, Executor loop, RandomGenerator chance) {}
