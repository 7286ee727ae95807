package io.quorumlock.simulation;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.waiting.ReleaseSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Carries to one replica what masters announce; some of it is lost, and all of it while there is no connection (R12). */
final class LossySignal implements ReleaseSignal {
    private final Replica replica;
    private final Map<ResourceName, IntConsumer> watched = new HashMap<>();

    LossySignal(Replica replica) {
        this.replica = replica;
    }

    @Override
    public Watch watch(ResourceName resource, IntConsumer hint) {
        watched.put(resource, hint);
        replica.world().masters.forEach(master -> announce(master, resource));
        return () -> watched.remove(resource, hint);
    }

    void announce(Master master, ResourceName resource) {
        World world = replica.world();
        if (watched.containsKey(resource)
                && world.weather.reaches(replica, master)
                && !world.chance.percent(world.announcementsLost)) {
            world.agenda.after(world.weather.delay(master), () -> replica.run(() -> hint(master, resource)));
        }
    }

    /** Tells those who listened that they may have missed something. */
    void listensAgain(Master master) {
        List.copyOf(watched.keySet()).forEach(resource -> announce(master, resource));
    }

    private void hint(Master master, ResourceName resource) {
        IntConsumer hint = watched.get(resource);
        if (hint != null) {
            hint.accept(master.number);
        }
    }
}
