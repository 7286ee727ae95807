// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The time, randomness and thread that are injected into the engine.
 *
 * @param wallClock may step; used only where a wrong time does no harm
 * @param loop the single-threaded event loop that owns the engine's state
 * @param random cryptographically secure where tokens are generated from it, seeded in simulation
 */
public record EngineContext(
        MonotonicClock clock, InstantSource wallClock, Scheduler scheduler, Executor loop, RandomGenerator random) {}
