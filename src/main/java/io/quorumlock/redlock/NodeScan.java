package io.quorumlock.redlock;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.redlock.NodeReply.Failed;
import io.quorumlock.redlock.NodeReply.Scanned;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Walks through the locks of one node in small steps, with a pause after each, so that acquires hardly wait for it. */
final class NodeScan {
    private static final Duration PAUSE = Duration.ofMillis(1);
    /** Of one step; a step changes nothing, so it may be taken again. */
    private static final int MOST_TIMEOUTS = 3;

    private final LockNode node;
    private final NameSearch search;
    private final Scheduler scheduler;
    private int timeouts;

    NodeScan(LockNode node, NameSearch search, Scheduler scheduler) {
        this.node = node;
        this.search = search;
        this.scheduler = scheduler;
    }

    /** @param then hears, once, whether the node named all its locks */
    void run(Consumer<Boolean> then) {
        step(Optional.empty(), then);
    }

    private void step(Optional<String> from, Consumer<Boolean> then) {
        if (search.isOver()) {
            then.accept(false);
        } else {
            node.scan(new ScanStep(search.wanted(), from), reply -> hear(reply, from, then));
        }
    }

    private void hear(NodeReply reply, Optional<String> from, Consumer<Boolean> then) {
        if (reply instanceof Scanned scanned) {
            timeouts = 0;
            search.add(scanned.found());
            if (scanned.next().isPresent()) {
                scheduler.after(PAUSE, () -> step(scanned.next(), then));
            } else {
                then.accept(true);
            }
        } else if (isTimeout(reply) && ++timeouts < MOST_TIMEOUTS) {
            step(from, then);
        } else {
            // After a lost connection it may be another process, to which the place means nothing.
            then.accept(false);
        }
    }

    private static boolean isTimeout(NodeReply reply) {
        return reply instanceof Failed failed && failed.reason() == NodeFailure.TIMEOUT;
    }
}
