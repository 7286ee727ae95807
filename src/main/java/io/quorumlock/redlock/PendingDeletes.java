package io.quorumlock.redlock;

import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Holds what could not yet be deleted from one node, and tries again until the node acknowledges it or it has ended by
 * itself (R5). Bounded (R14): where a node stays away for long the newest are left to their TTL. Most of those were never
 * there, because the lease was taken while the node was away.
 */
final class PendingDeletes {
    private static final int AT_ONCE = 64;
    private static final Duration FIRST_DELAY = Duration.ofMillis(25);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final LockNode node;
    private final int most;
    private final EngineContext engineContext;
    private final Backoff backoff;
    private final Deque<Leftover> waiting = new ArrayDeque<>();
    private boolean active;

    private record Leftover(DeleteCondition condition, MonotonicTime end) {}

    PendingDeletes(LockNode node, int most, EngineContext engineContext) {
        this.node = node;
        this.most = most;
        this.engineContext = engineContext;
        this.backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, engineContext.random());
    }

    void add(DeleteCondition condition, MonotonicTime end) {
        keep(new Leftover(condition, end));
        if (!active) {
            active = true;
            retryLater();
        }
    }

    int size() {
        return waiting.size();
    }

    private void keep(Leftover leftover) {
        if (waiting.size() < most) {
            waiting.addLast(leftover);
        }
    }

    private void retryLater() {
        engineContext.scheduler().after(backoff.next(), this::retry);
    }

    private void retry() {
        List<Leftover> some = takeSome();
        if (some.isEmpty()) {
            active = false;
            backoff.reset();
            return;
        }
        Answers answers = new Answers(some.size());
        for (Leftover leftover : some) {
            node.release(leftover.condition(), reply -> answers.hear(leftover, reply));
        }
    }

    private List<Leftover> takeSome() {
        MonotonicTime now = engineContext.clock().now();
        List<Leftover> some = new ArrayList<>();
        while (some.size() < AT_ONCE && !waiting.isEmpty()) {
            Leftover leftover = waiting.pollFirst();
            if (now.isBefore(leftover.end())) {
                some.add(leftover);
            }
        }
        return some;
    }

    /** Waits for the whole lot, so that a silent node is not flooded. */
    private final class Answers {
        private int outstanding;
        private boolean allAcknowledged = true;

        Answers(int outstanding) {
            this.outstanding = outstanding;
        }

        void hear(Leftover leftover, NodeReply reply) {
            if (reply instanceof NodeReply.Failed) {
                allAcknowledged = false;
                keep(leftover);
            }
            if (--outstanding == 0) {
                if (allAcknowledged) {
                    backoff.reset();
                    engineContext.loop().execute(PendingDeletes.this::retry);
                } else {
                    retryLater();
                }
            }
        }
    }
}
