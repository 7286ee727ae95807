// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The masters with a subscription. Reports each gap, a period without a majority of the masters, after its end. */
final class SubscriptionCoverage {
    /**
     * Replicas ask the masters once a second whether there are subscribers, so events may still be missing for this long
     * after a gap.
     */
    static final Duration NOTICE_TIME = Duration.ofSeconds(2);

    private final int quorum;
    private final EngineContext engineContext;
    private final Consumer<MonotonicTime> gaps;
    private final MonotonicTime start;
    private final Map<Integer, MonotonicTime> coveredFrom = new HashMap<>();
    private Optional<MonotonicTime> gapSince;
    private boolean isStarting = true;
    private Scheduler.Timer reportTimer = () -> {};

    /** @param gaps receives the start of each gap */
    SubscriptionCoverage(int quorum, EngineContext engineContext, Consumer<MonotonicTime> gaps) {
        this.quorum = quorum;
        this.engineContext = engineContext;
        this.gaps = gaps;
        this.start = engineContext.clock().now();
        this.gapSince = Optional.of(start);
    }

    void subscribed(int master) {
        MonotonicTime now = engineContext.clock().now();
        boolean reached = coveredFrom.put(master, now) == null && coveredFrom.size() == quorum;
        if (!reached || gapSince.isEmpty()) {
            return;
        }
        if (isStarting && now.since(start).compareTo(NOTICE_TIME) <= 0) {
            gapSince = Optional.empty();
        } else {
            reportLater();
        }
        isStarting = false;
    }

    /** Also detects a gap that began in the past, because the loss of a silent master is detected late. */
    void subscriptionLost(int master, MonotonicTime since) {
        boolean wasCovered = coveredFrom.remove(master) != null;
        if (wasCovered && coveredSince(since) < quorum) {
            gapSince = gapSince.or(() -> Optional.of(since));
            reportLater();
        }
    }

    void end() {
        reportTimer.cancel();
    }

    private long coveredSince(MonotonicTime since) {
        return coveredFrom.values().stream()
                .filter(began -> !since.isBefore(began))
                .count();
    }

    private void reportLater() {
        reportTimer.cancel();
        if (coveredFrom.size() >= quorum) {
            reportTimer = engineContext.scheduler().after(NOTICE_TIME, this::report);
        }
    }

    private void report() {
        MonotonicTime began = gapSince.orElseThrow();
        gapSince = Optional.empty();
        gaps.accept(began);
    }
}
