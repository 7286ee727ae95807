package io.quorumlock.redlock;

import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.Scheduler;
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
 * Searches all nodes for the names of one page: the smallest that come after the page before. Nodes keep their locks in no
 * order, so each page looks at all of them and keeps one more than it may show.
 */
final class NameSearch {
    /** Enough for some hundred thousand locks; a node that is not through by then does not count. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final PageTerms terms;
    private final List<LockNode> nodes;
    private final EngineContext engineContext;
    private final BooleanSupplier abandoned;
    private final TreeSet<ResourceName> names = new TreeSet<>(Comparator.comparing(ResourceName::text));
    private final Set<LockNode> searched = new HashSet<>();
    private int searching;
    private boolean ended;
    private Scheduler.Timer deadline;

    /**
     * Is what was found.
     *
     * @param names in their order
     * @param last the name after which others come; empty where none do
     * @param searched the nodes that named all their locks
     */
    record Found(List<ResourceName> names, Optional<ResourceName> last, Set<LockNode> searched) {}

    NameSearch(PageTerms terms, List<LockNode> nodes, EngineContext engineContext, BooleanSupplier abandoned) {
        this.terms = terms;
        this.nodes = nodes;
        this.engineContext = engineContext;
        this.abandoned = abandoned;
    }

    void run(Consumer<Found> then) {
        searching = nodes.size();
        deadline = engineContext.scheduler().after(DEADLINE, () -> end(then));
        for (LockNode node : nodes) {
            new NodeScan(node, this, engineContext.scheduler()).run(complete -> {
                if (complete) {
                    searched.add(node);
                }
                if (--searching == 0) {
                    end(then);
                }
            });
        }
    }

    /** Says whether there is no use in going on. */
    boolean isOver() {
        return ended || abandoned.getAsBoolean();
    }

    /** Tells which names are still of use. */
    NameRange wanted() {
        Optional<ResourceName> before = isFull() ? Optional.of(names.last()) : Optional.empty();
        return new NameRange(terms.prefix(), terms.after(), before);
    }

    void add(List<ResourceName> found) {
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

    private void end(Consumer<Found> then) {
        if (!ended) {
            ended = true;
            deadline.cancel();
            List<ResourceName> page = names.stream().limit(terms.limit()).toList();
            Optional<ResourceName> last = isFull() ? Optional.of(page.get(page.size() - 1)) : Optional.empty();
            then.accept(new Found(page, last, Set.copyOf(searched)));
        }
    }
}
