// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply.Absent;
import io.quorumlock.engines.redlock.MasterReply.Deleted;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.HeldByAnother;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One forced release: reads the current lock, then deletes exactly that value (R3, R6). A delayed delete never affects
 * a later lease. If the holder extended in between, so that its value changed, the attempt reads again.
 */
final class ForceAttempt {
    private static final int MAX_READS = 3;

    /** Of several deletes on one master, one without a reply decides, then one that found another value. */
    private static final Comparator<MasterReply> BY_WEIGHT = Comparator.comparing(
                    (MasterReply reply) -> reply instanceof Failed)
            .thenComparing(HeldByAnother.class::isInstance)
            .thenComparing(Deleted.class::isInstance);

    private final ResourceName resource;
    private final ForceTerms terms;
    private final List<LockMaster> masters;
    private final CleanUp cleanUp;
    private final Consumer<ForcedRelease> callback;
    private int reads;
    /** Whether any master deleted the value of any holder. */
    private boolean deletedAny;
    /** Whether a master with the value did not reply to its delete, which may have taken effect or may still do so. */
    private boolean deletePending;

    ForceAttempt(
            ResourceName resource,
            ForceTerms terms,
            List<LockMaster> masters,
            CleanUp cleanUp,
            Consumer<ForcedRelease> callback) {
        this.resource = resource;
        this.terms = terms;
        this.masters = masters;
        this.cleanUp = cleanUp;
        this.callback = callback;
    }

    void run() {
        read(this::selectTargets);
    }

    private void read(Consumer<VoteCollector> then) {
        reads++;
        QuorumRound.runToEnd(masters, (master, reply) -> master.inspect(resource, reply), then);
    }

    private void selectTargets(VoteCollector collector) {
        ForcedReleaseTargets targets = ForcedReleaseTargets.of(resource, terms, collector);
        if (!collector.isMajority(collector.answered())) {
            callback.accept(new ForcedRelease.NoQuorum(collector.noQuorumReasonOfRead()));
        } else if (!targets.isEmpty()) {
            delete(targets, targets, collector);
        } else if (collector.count(Held.class) > 0 && terms.areAll()) {
            callback.accept(new ForcedRelease.LeftAlone(ForcedRelease.Reason.NOT_OURS));
        } else {
            callback.accept(new ForcedRelease.Free());
        }
    }

    /**
     * Deletes from each master the value that the master returned. One that returned another value or none gets a delete, too,
     * which ends the permission to restore the lease there (R7). A master that did not reply keeps its value until it replies or
     * the value expires.
     */
    private void delete(ForcedReleaseTargets chosen, ForcedReleaseTargets found, VoteCollector seen) {
        QuorumRound.runToEnd(
                masters,
                (master, reply) -> {
                    MasterReply read = seen.of(masters.indexOf(master)).orElseThrow();
                    if (read instanceof Failed) {
                        reply.accept(read);
                    } else {
                        deleteAll(master, found.conditionsFor(read), chosen.remaining(), reply);
                    }
                },
                result -> evaluate(chosen, seen, result));
    }

    /**
     * Deletes the values at once, and passes on the reply that matters most. One after the other, the deletes of one lease on two
     * masters could be further apart than a restoration waits (R7).
     */
    private void deleteAll(
            LockMaster master, List<DeleteCondition> conditions, Duration ttl, Consumer<MasterReply> reply) {
        if (conditions.isEmpty()) {
            reply.accept(new Absent());
            return;
        }
        List<MasterReply> replies = new ArrayList<>(conditions.size());
        for (DeleteCondition condition : conditions) {
            cleanUp.delete(master, condition, ttl, next -> {
                deletedAny |= next instanceof Deleted;
                replies.add(next);
                if (replies.size() == conditions.size()) {
                    reply.accept(Collections.max(replies, BY_WEIGHT));
                }
            });
        }
    }

    private void evaluate(ForcedReleaseTargets chosen, VoteCollector seen, VoteCollector result) {
        for (int master = 0; master < masters.size(); master++) {
            deletePending |= seen.of(master).filter(Held.class::isInstance).isPresent()
                    && result.of(master).filter(Failed.class::isInstance).isPresent();
        }
        if (result.count(HeldByAnother.class) > 0 && reads < MAX_READS) {
            read(again -> deleteRemaining(chosen, again));
        } else if (result.isMajority(result.count(Deleted.class) + result.count(Absent.class))) {
            callback.accept(brokenOrFree(chosen, result));
        } else {
            callback.accept(unconfirmed(chosen, result));
        }
    }

    private void deleteRemaining(ForcedReleaseTargets chosen, VoteCollector collector) {
        ForcedReleaseTargets left = chosen.remainingIn(collector);
        if (!collector.isMajority(collector.answered())) {
            callback.accept(unconfirmed(chosen, collector));
        } else if (!left.isEmpty()) {
            delete(chosen, left, collector);
        } else if (collector.count(Held.class) > 0 && !deletedAny && !deletePending) {
            callback.accept(new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS));
        } else {
            callback.accept(brokenOrFree(chosen, collector));
        }
    }

    /**
     * Returns the outcome if a quorum does not have the lock: free only if no delete of this call can have had an
     * effect.
     */
    private ForcedRelease brokenOrFree(ForcedReleaseTargets chosen, VoteCollector collector) {
        if (deletedAny) {
            deleteRest(chosen, collector);
            return new ForcedRelease.Broken(chosen.owner());
        }
        return deletePending ? unconfirmed(chosen, collector) : new ForcedRelease.Free();
    }

    /** Deletes the broken lease on the other masters, which did not reply or may receive it later. */
    private void deleteRest(ForcedReleaseTargets broken, VoteCollector collector) {
        collector.forEach(masters, MasterReply.class, (master, reply) -> {
            if (!(reply instanceof Deleted)) {
                broken.conditions()
                        .forEach(
                                condition -> cleanUp.deleteLease(master, condition, broken.remaining(), ignored -> {}));
            }
        });
    }

    private static ForcedRelease unconfirmed(ForcedReleaseTargets chosen, VoteCollector collector) {
        return new ForcedRelease.Unconfirmed(collector.noQuorumReason(), chosen.owner(), chosen.remaining());
    }
}
