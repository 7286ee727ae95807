package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Keeps fencing counters as the scripts do: they expire a week after they were made. */
final class FakeCounters {
    private static final Duration LIFE = Duration.ofDays(7);
    private static final long SIX_DAYS = Duration.ofDays(6).toMillis() * 1024;

    private final Map<ResourceName, Counter> counters = new HashMap<>();
    private final VirtualTime time;

    private record Counter(FencingToken fence, Moment end) {}

    FakeCounters(VirtualTime time) {
        this.time = time;
    }

    FencingToken grant(ResourceName resource, FencingToken candidate) {
        Counter counter = find(resource);
        boolean young = counter != null && counter.fence().number() + 1 >= candidate.number() - SIX_DAYS;
        FencingToken next = young ? new FencingToken(counter.fence().number() + 1) : candidate;
        counters.put(
                resource, new Counter(next, young ? counter.end() : time.now().plus(LIFE)));
        return next;
    }

    void raise(ResourceName resource, FencingToken fence) {
        Counter counter = find(resource);
        if (counter == null) {
            counters.put(resource, new Counter(fence, time.now().plus(LIFE)));
        } else if (counter.fence().compareTo(fence) < 0) {
            counters.put(resource, new Counter(fence, counter.end()));
        }
    }

    FencingToken of(ResourceName resource) {
        return find(resource).fence();
    }

    void clear() {
        counters.clear();
    }

    private Counter find(ResourceName resource) {
        counters.computeIfPresent(resource, (name, counter) -> time.now().isBefore(counter.end()) ? counter : null);
        return counters.get(resource);
    }
}
