// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A source of random disasters, which are outside the model. */
final class Disasters {
    /**
     * A flush is not detected, so there is no quarantine between two grants. Their order depends only on the clocks of
     * the masters.
     */
    private static final List<Disaster> WITHOUT_STEPS = allBut(Disaster.CLOCKS_STEPPED);

    private static final List<Disaster> WITHOUT_FLUSH = allBut(Disaster.MASTERS_FLUSHED);

    private final World world;
    private final SeededRandom random;
    private boolean over;

    Disasters(World world, SeededRandom random) {
        this.world = world;
        this.random = random;
    }

    void begin() {
        world.agenda.after(random.millis(500, 5_000), () -> {
            if (!over) {
                inflict(random.of(world.clocksAgree() ? WITHOUT_STEPS : WITHOUT_FLUSH));
                begin();
            }
        });
    }

    void end() {
        over = true;
    }

    private static List<Disaster> allBut(Disaster one) {
        return Arrays.stream(Disaster.values()).filter(kind -> kind != one).toList();
    }

    private void inflict(Disaster disaster) {
        world.coverage.count(disaster);
        world.story.log(disaster::name);
        for (Master master : majority()) {
            switch (disaster) {
                case CLOCKS_STEPPED -> step(master);
                case MASTERS_EMPTIED -> empty(master);
                case MASTERS_FLUSHED -> master.server.clear();
                case LOCKS_EVICTED -> world.resources.forEach(master.server::evict);
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
        world.replicas.forEach(replica ->
                replica.wires().stream().filter(wire -> wire.leadsTo(master)).forEach(Wire::breakConnection));
        world.agenda.after(random.millis(1, 300), () -> {
            if (!master.isUp()) {
                master.restart(world.agenda.now());
            }
        });
    }

    private List<Master> majority() {
        int size = world.masters.size();
        int many = random.between(size / 2 + 1, size);
        int first = random.between(0, size - 1);
        return IntStream.range(first, first + many)
                .mapToObj(i -> world.masters.get(i % size))
                .toList();
    }
}
