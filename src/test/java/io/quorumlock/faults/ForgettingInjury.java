// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A fault in which a master that persists every write loses its disk and restarts empty. The two masters with weaker
 * persistence are suspended until shortly before, so that there are leases on a bare majority that includes this master
 * (R9).
 */
final class ForgettingInjury extends MasterInjury {
    /** The longest time after the suspension of the others. */
    static final Duration LONGEST_RETURN = Duration.ofSeconds(3);

    private static final List<Integer> HANGING = List.of(Masters.EVERY_SECOND, Masters.NONE);

    private final List<RedisServer> others;

    ForgettingInjury(PlannedFault fault, Field field) {
        super(fault, field);
        others = HANGING.stream().map(field.masters()::server).toList();
    }

    @Override
    void hit() {
        others.forEach(RedisServer::suspend);
    }

    @Override
    public void end() {
        others.forEach(RedisServer::resume);
        long latest = System.nanoTime() + LONGEST_RETURN.toNanos();
        while (!HANGING.stream().allMatch(watch::isUp) && System.nanoTime() < latest) {
            Pause.of(LOOK);
        }
        server.killAndEmpty();
        server.start();
    }

    @Override
    public Optional<String> evidence() {
        return seen("quarantined");
    }
}
