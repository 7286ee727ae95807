package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Keeps fencing counters as the scripts do: they expire a week after they were made. */
final class FakeCounters {
    private static final Duration LIFE = Duration.ofDays(7);
    private static final long SIX_DAYS = Duration.ofDays(6).toMillis() * 1024;

    private final Map<ResourceName, Counter> counters = new HashMap<>();
    private final MonotonicClock clock;

    private record Counter(FencingToken fence, Moment end) {}

    FakeCounters(MonotonicClock clock) {
        this.clock = clock;
    }

    FencingToken grant(ResourceName resource, FencingToken candidate) {
        Counter counter = find(resource);
        boolean young = counter != null && counter.fence().number() + 1 >= candidate.number() - SIX_DAYS;
        FencingToken next = young ? new FencingToken(counter.fence().number() + 1) : candidate;
        counters.put(
                resource, new Counter(next, young ? counter.end() : clock.now().plus(LIFE)));
        return next;
    }

    void raise(ResourceName resource, FencingToken fence) {
        Counter counter = find(resource);
        if (counter == null) {
            counters.put(resource, new Counter(fence, clock.now().plus(LIFE)));
        } else if (counter.fence().compareTo(fence) < 0) {
            counters.put(resource, new Counter(fence, counter.end()));
        }
    }

    FencingToken of(ResourceName resource) {
        return find(resource).fence();
    }

    Runnable snapshot() {
        Map<ResourceName, Counter> kept = Map.copyOf(counters);
        return () -> {
            counters.clear();
            counters.putAll(kept);
        };
    }

    void clear() {
        counters.clear();
    }

    private Counter find(ResourceName resource) {
        counters.computeIfPresent(resource, (name, counter) -> clock.now().isBefore(counter.end()) ? counter : null);
        return counters.get(resource);
    }
}
