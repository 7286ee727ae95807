package io.quorumlock.session;

import io.quorumlock.lock.Beat;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Carries beats between replicas in memory. */
final class FakeBeats implements Beats {
    private final Map<SessionRoom.Holding, Runnable> watched = new HashMap<>();

    int watches() {
        return watched.size();
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        SessionRoom.Holding holding = new SessionRoom.Holding(resource, token);
        watched.put(holding, beat);
        return () -> watched.remove(holding);
    }

    @Override
    public CompletableFuture<Beat> send(ResourceName resource, LeaseToken token) {
        Runnable beat = watched.get(new SessionRoom.Holding(resource, token));
        if (beat == null) {
            return CompletableFuture.completedFuture(new Beat.NoSession());
        }
        beat.run();
        return CompletableFuture.completedFuture(new Beat.Heard());
    }
}
