// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The heartbeats that one replica sends and receives. As many are lost as announcements. */
final class LossyBeats implements Heartbeats {
    private final Replica replica;
    private final Map<List<Object>, Runnable> watched = new HashMap<>();

    LossyBeats(Replica replica) {
        this.replica = replica;
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        List<Object> key = List.of(resource, token);
        watched.put(key, beat);
        return () -> watched.remove(key, beat);
    }

    @Override
    public CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token) {
        World world = replica.world();
        List<Object> key = List.of(resource, token);
        Optional<Replica> listener = world.replicas.stream()
                .filter(other -> other != replica && other.isUp() && other.beats.watched.containsKey(key))
                .findFirst();
        if (listener.isEmpty() || world.chance.percent(world.announcementsLost)) {
            return CompletableFuture.completedFuture(new BeatOutcome.NoSession());
        }
        Replica other = listener.get();
        world.agenda.after(Scale.millis(1), () -> other.run(() -> other.beats.deliver(key)));
        return CompletableFuture.completedFuture(new BeatOutcome.Heard());
    }

    private void deliver(List<Object> key) {
        Runnable beat = watched.get(key);
        if (beat != null) {
            beat.run();
        }
    }
}
