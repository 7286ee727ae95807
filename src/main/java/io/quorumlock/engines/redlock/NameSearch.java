// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.engines.redlock.LockMaster.NameRange;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Scanned;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The search for the lock names of one page: the smallest names after the previous page. Masters do not store locks in
 * order, so each page scans all locks. It keeps one name more than the limit, which shows whether another page follows.
 */
final class NameSearch {
    /** The maximum duration of a search, enough for several hundred thousand locks. Slower masters do not count. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Pause between two steps on a master, so that a scan hardly delays acquires. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    /** Attempts for one step. A step changes nothing, so it is safe to repeat. */
    private static final int MAX_STEP_ATTEMPTS = 3;

    private final PageTerms terms;
    private final List<LockMaster> masters;
    private final EngineContext engineContext;
    private final BooleanSupplier abandoned;
    private final TreeSet<ResourceName> names = new TreeSet<>(Comparator.comparing(ResourceName::text));
    private final Set<LockMaster> completed = new HashSet<>();
    private int pendingScans;
    private boolean ended;
    private Scheduler.Timer deadline;

    /**
     * The result of a search.
     *
     * @param names in ascending order
     * @param last the name after which the next page begins; empty on the last page
     * @param searched the masters that returned all their locks
     */
    record Found(List<ResourceName> names, Optional<ResourceName> last, Set<LockMaster> searched) {}

    NameSearch(PageTerms terms, List<LockMaster> masters, EngineContext engineContext, BooleanSupplier abandoned) {
        this.terms = terms;
        this.masters = masters;
        this.engineContext = engineContext;
        this.abandoned = abandoned;
    }

    void run(Consumer<Found> result) {
        pendingScans = masters.size();
        deadline = engineContext.scheduler().after(DEADLINE, () -> end(result));
        for (LockMaster master : masters) {
            new Scan(master, result).step(Optional.empty());
        }
    }

    private boolean isOver() {
        return ended || abandoned.getAsBoolean();
    }

    /** Returns the range of names that can still be on the page. */
    private NameRange wanted() {
        Optional<ResourceName> before = isFull() ? Optional.of(names.last()) : Optional.empty();
        return new NameRange(terms.prefix(), terms.after(), before);
    }

    private void add(List<ResourceName> found) {
        for (ResourceName name : found) {
            names.add(name);
            if (names.size() > terms.limit() + 1) {
                names.pollLast();
            }
        }
    }

    private boolean isFull() {
        return names.size() > terms.limit();
    }

    private void end(Consumer<Found> result) {
        if (!ended) {
            ended = true;
            deadline.cancel();
            List<ResourceName> page = names.stream().limit(terms.limit()).toList();
            Optional<ResourceName> last = isFull() ? Optional.of(page.get(page.size() - 1)) : Optional.empty();
            result.accept(new Found(page, last, Set.copyOf(completed)));
        }
    }

    /** The scan of one master in small steps. */
    private final class Scan {
        private final LockMaster master;
        private final Consumer<Found> result;
        private int timeouts;

        private Scan(LockMaster master, Consumer<Found> result) {
            this.master = master;
            this.result = result;
        }

        private void step(Optional<String> from) {
            if (isOver()) {
                finish(false);
            } else {
                master.scan(new ScanStep(wanted(), from), reply -> receive(reply, from));
            }
        }

        private void receive(MasterReply reply, Optional<String> from) {
            if (reply instanceof Scanned scanned) {
                timeouts = 0;
                add(scanned.found());
                if (scanned.next().isPresent()) {
                    engineContext.scheduler().after(PAUSE, () -> step(scanned.next()));
                } else {
                    finish(true);
                }
            } else if (isTimeout(reply) && ++timeouts < MAX_STEP_ATTEMPTS) {
                step(from);
            } else {
                // After a lost connection the master may be another process, for which the cursor is invalid.
                finish(false);
            }
        }

        private void finish(boolean complete) {
            if (complete) {
                completed.add(master);
            }
            if (--pendingScans == 0) {
                end(result);
            }
        }

        private static boolean isTimeout(MasterReply reply) {
            return reply instanceof Failed failed && failed.reason() == ServerFailure.TIMEOUT;
        }
    }
}
