package io.quorumlock.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes go wrong what the model rules out. */
final class Disasters {
    private static final List<Disaster> ALL = List.of(Disaster.values());
    /** Nobody sees a flush, so no quarantine comes between two grants: their order rests on the replicas' clocks alone. */
    private static final List<Disaster> WITHOUT_FLUSH =
            ALL.stream().filter(kind -> kind != Disaster.MASTERS_FLUSHED).toList();

    private final World world;
    private final Chance chance;
    private final Map<Disaster, Integer> done = new EnumMap<>(Disaster.class);
    private boolean over;

    Disasters(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    void begin() {
        world.agenda.after(chance.millis(500, 5_000), () -> {
            if (!over) {
                strike(chance.of(world.clocksAgree() ? ALL : WITHOUT_FLUSH));
                begin();
            }
        });
    }

    void end() {
        over = true;
    }

    Map<Disaster, Integer> done() {
        return done;
    }

    private void strike(Disaster disaster) {
        done.merge(disaster, 1, Integer::sum);
        world.story.tell(disaster::name);
        long step = chance.millis(100, 2_000) * (chance.in(2) ? 1 : -1);
        for (Master master : majority()) {
            switch (disaster) {
                case CLOCKS_STEPPED -> master.clock.step(step);
                case MASTERS_EMPTIED -> empty(master);
                case MASTERS_FLUSHED -> master.store.clear();
                case LOCKS_EVICTED -> world.resources.forEach(master::evict);
            }
        }
    }

    private void empty(Master master) {
        master.crash();
        master.loseAll();
        world.replicas.forEach(replica ->
                replica.wires().stream().filter(wire -> wire.leadsTo(master)).forEach(Wire::snap));
        world.agenda.after(chance.millis(1, 300), () -> {
            if (!master.isUp()) {
                master.restart();
            }
        });
    }

    private List<Master> majority() {
        int size = world.masters.size();
        int many = chance.between(size / 2 + 1, size);
        int first = chance.between(0, size - 1);
        return IntStream.range(first, first + many)
                .mapToObj(i -> world.masters.get(i % size))
                .toList();
    }
}
