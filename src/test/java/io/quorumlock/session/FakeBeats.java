// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A transport of heartbeats in memory. */
final class FakeBeats implements Heartbeats {
    private final Map<SessionManager.Key, Runnable> watched = new HashMap<>();

    int watches() {
        return watched.size();
    }

    @Override
    public Watch watch(ResourceName resource, LeaseToken token, Runnable beat) {
        SessionManager.Key key = new SessionManager.Key(resource, token);
        watched.put(key, beat);
        return () -> watched.remove(key);
    }

    @Override
    public CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token) {
        Runnable beat = watched.get(new SessionManager.Key(resource, token));
        if (beat == null) {
            return CompletableFuture.completedFuture(new BeatOutcome.NoSession());
        }
        beat.run();
        return CompletableFuture.completedFuture(new BeatOutcome.Heard());
    }
}
