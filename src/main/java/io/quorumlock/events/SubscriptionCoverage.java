package io.quorumlock.events;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Knows which nodes are listened to, and tells of each time in which they were no majority when it is over. */
final class SubscriptionCoverage {
    /** Who announces asks once a second whether somebody listens: so long after a gap something may still be missing. */
    static final Duration NOTICE = Duration.ofSeconds(2);

    private final int quorum;
    private final EngineContext engineContext;
    private final Consumer<MonotonicTime> gaps;
    private final MonotonicTime start;
    private final Map<Integer, MonotonicTime> begun = new HashMap<>();
    private Optional<MonotonicTime> deafSince;
    private boolean isBeginning = true;
    private Scheduler.Timer telling = () -> {};

    /** @param gaps hears when one began */
    SubscriptionCoverage(int quorum, EngineContext engineContext, Consumer<MonotonicTime> gaps) {
        this.quorum = quorum;
        this.engineContext = engineContext;
        this.gaps = gaps;
        this.start = engineContext.clock().now();
        this.deafSince = Optional.of(start);
    }

    void begins(int node) {
        MonotonicTime now = engineContext.clock().now();
        boolean reached = begun.put(node, now) == null && begun.size() == quorum;
        if (!reached || deafSince.isEmpty()) {
            return;
        }
        if (isBeginning && now.since(start).compareTo(NOTICE) <= 0) {
            deafSince = Optional.empty();
        } else {
            tellLater();
        }
        isBeginning = false;
    }

    /** Notices also that it was deaf for a moment in the past: a node that fell silent is given up only later. */
    void breaksOff(int node, MonotonicTime since) {
        boolean wasHeard = begun.remove(node) != null;
        if (wasHeard && heardAllTheTime(since) < quorum) {
            deafSince = deafSince.or(() -> Optional.of(since));
            tellLater();
        }
    }

    void end() {
        telling.cancel();
    }

    private long heardAllTheTime(MonotonicTime since) {
        return begun.values().stream().filter(began -> !since.isBefore(began)).count();
    }

    private void tellLater() {
        telling.cancel();
        if (begun.size() >= quorum) {
            telling = engineContext.scheduler().after(NOTICE, this::tell);
        }
    }

    private void tell() {
        MonotonicTime began = deafSince.orElseThrow();
        deafSince = Optional.empty();
        gaps.accept(began);
    }
}
