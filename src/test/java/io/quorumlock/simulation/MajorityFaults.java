// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A source of random faults of a majority, which are outside the model. */
final class MajorityFaults {
    /**
     * A flush is not detected, so there is no quarantine between two grants. Their order depends only on the clocks of
     * the masters.
     */
    private static final List<MajorityFault> WITHOUT_STEPS = allBut(MajorityFault.CLOCKS_STEPPED);

    private static final List<MajorityFault> WITHOUT_FLUSH = allBut(MajorityFault.MASTERS_FLUSHED);

    private final Cluster cluster;
    private final SeededRandom random;
    private boolean over;

    MajorityFaults(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
    }

    void begin() {
        cluster.events.after(random.millis(500, 5_000), () -> {
            if (!over) {
                inject(random.of(cluster.conditions.clocksAgree() ? WITHOUT_STEPS : WITHOUT_FLUSH));
                begin();
            }
        });
    }

    void end() {
        over = true;
    }

    private static List<MajorityFault> allBut(MajorityFault one) {
        return Arrays.stream(MajorityFault.values()).filter(kind -> kind != one).toList();
    }

    private void inject(MajorityFault fault) {
        cluster.coverage.count(fault);
        cluster.log.add(fault::name);
        for (Master master : majority()) {
            switch (fault) {
                case CLOCKS_STEPPED -> step(master);
                case MASTERS_EMPTIED -> empty(master);
                case MASTERS_FLUSHED -> master.server.clear();
                case LOCKS_EVICTED -> cluster.resources.forEach(master.server::evict);
            }
        }
    }

    /**
     * Steps the clock to the other side of the true time. This keeps S3, because the clocks of two masters never differ
     * too much.
     */
    private void step(Master master) {
        int most = (int) Scale.STEPPED_AT_MOST.toMillis();
        long target = random.millis(most / 2, most) * (master.clock.stepped() > 0 ? -1 : 1);
        master.clock.step(target - master.clock.stepped());
    }

    private void empty(Master master) {
        master.crash();
        master.loseAll();
        cluster.replicas.forEach(replica -> replica.masters().breakConnectionsTo(master));
        cluster.events.after(random.millis(1, 300), () -> {
            if (!master.isUp()) {
                master.restart(cluster.events.now());
            }
        });
    }

    private List<Master> majority() {
        int size = cluster.masters.size();
        int many = random.between(size / 2 + 1, size);
        int first = random.between(0, size - 1);
        return IntStream.range(first, first + many)
                .mapToObj(i -> cluster.masters.get(i % size))
                .toList();
    }
}
