package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Carries beats between replicas in memory. */
final class FakeBeats implements Heartbeats {
    private final Map<SessionManager.Holding, Runnable> watched = new HashMap<>();

    int watches() {
        return watched.size();
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        SessionManager.Holding holding = new SessionManager.Holding(resource, token);
        watched.put(holding, beat);
        return () -> watched.remove(holding);
    }

    @Override
    public CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token) {
        Runnable beat = watched.get(new SessionManager.Holding(resource, token));
        if (beat == null) {
            return CompletableFuture.completedFuture(new BeatOutcome.NoSession());
        }
        beat.run();
        return CompletableFuture.completedFuture(new BeatOutcome.Heard());
    }
}
