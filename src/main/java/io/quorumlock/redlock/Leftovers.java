package io.quorumlock.redlock;

import io.quorumlock.time.Backoff;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
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
final class Leftovers {
    private static final int AT_ONCE = 64;
    private static final Duration FIRST_DELAY = Duration.ofMillis(25);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final LockNode node;
    private final int most;
    private final Surroundings surroundings;
    private final Backoff backoff;
    private final Deque<Leftover> waiting = new ArrayDeque<>();
    private boolean active;

    private record Leftover(Stake stake, Moment end) {}

    Leftovers(LockNode node, int most, Surroundings surroundings) {
        this.node = node;
        this.most = most;
        this.surroundings = surroundings;
        this.backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, surroundings.chance());
    }

    void add(Stake stake, Moment end) {
        keep(new Leftover(stake, end));
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
        surroundings.scheduler().after(backoff.next(), this::retry);
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
            node.release(leftover.stake(), reply -> answers.hear(leftover, reply));
        }
    }

    private List<Leftover> takeSome() {
        Moment now = surroundings.clock().now();
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
                    surroundings.loop().execute(Leftovers.this::retry);
                } else {
                    retryLater();
                }
            }
        }
    }
}
