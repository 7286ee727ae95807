// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.engines.redlock.MasterReply.Absent;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Deleted;
import io.quorumlock.engines.redlock.MasterReply.Exhausted;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.MasterReply.HeldByAnother;
import io.quorumlock.engines.redlock.MasterReply.Refused;
import io.quorumlock.engines.redlock.MasterReply.TokenInUse;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** All sequences of replies of five masters, for each command. */
@Proves({"R1", "R15"})
class DecisionTest {
    private static final int MASTERS = 5;
    private static final int MAJORITY = 3;
    private static final FencingToken FENCE = new FencingToken(1);
    private static final MasterReply FAILED = new Failed(ServerFailure.TIMEOUT, true);
    private static final MasterReply REFUSED = new Refused(
            List.of(new Refused.Conflict(
                    0, Duration.ofSeconds(1), Optional.empty(), "another", true, false, LockKind.EXCLUSIVE)),
            List.of());
    private static final MasterReply ADOPTED = new Adopted(Duration.ofSeconds(1), 0, FENCE, Optional.empty());

    private static final List<MasterReply> TO_ACQUIRE =
            List.of(new Granted(FENCE), ADOPTED, REFUSED, new TokenInUse(), FAILED);
    private static final List<MasterReply> TO_EXTEND = List.of(
            new Extended(1, FENCE, "a1+", Optional.empty(), ""),
            new Exhausted(),
            new Absent(),
            new HeldByAnother(0),
            FAILED);
    private static final List<MasterReply> TO_RELEASE =
            List.of(new Deleted(), new Absent(), new HeldByAnother(0), FAILED);
    private static final List<MasterReply> TO_INSPECT = List.of(holding("a"), holding("b"), new Absent(), FAILED);

    @Test
    void decidesEveryAcquireAndWinsOnlyWithMajority() {
        forEverySequence(TO_ACQUIRE, replies -> {
            boolean won = count(replies, Granted.class, Adopted.class) >= MAJORITY;
            assertEquals(won, first(replies, Decision.Acquire::decide) == Decision.Acquire.WON, replies::toString);
        });
    }

    /** The lock is held if a majority answered, unless the masters that did not may make the caller its holder. */
    @Test
    void distinguishesHeldFromNoQuorumByAnsweringMajority() {
        forEverySequence(TO_ACQUIRE, replies -> {
            Decision.Acquire decision = first(replies, Decision.Acquire::decide);
            int failed = count(replies, Failed.class);
            int adopted = count(replies, Adopted.class);
            boolean certain = MASTERS - failed >= MAJORITY && (adopted == 0 || adopted + failed < MAJORITY);
            assertTrue(decision != Decision.Acquire.HELD || certain, replies::toString);
            assertTrue(decision != Decision.Acquire.NO_QUORUM || !certain, replies::toString);
        });
    }

    @Test
    void decidesEveryExtensionByMastersThatStillHold() {
        forEverySequence(TO_EXTEND, replies -> {
            Decision.Extend decision = first(replies, Decision.Extend::decide);
            boolean extended = count(replies, Extended.class) >= MAJORITY;
            boolean lost = count(replies, Absent.class, HeldByAnother.class) >= MAJORITY;
            assertEquals(extended, decision == Decision.Extend.EXTENDED, replies::toString);
            assertEquals(lost, decision == Decision.Extend.LOST, replies::toString);
        });
    }

    @Test
    void decidesEveryReleaseAndNeverReportsLostLeaseAsReleased() {
        forEverySequence(TO_RELEASE, replies -> {
            Decision.Release decision = first(replies, Decision.Release::decide);
            boolean gone = count(replies, Absent.class, HeldByAnother.class) >= MAJORITY;
            boolean reached = MASTERS - count(replies, Failed.class) >= MAJORITY;
            assertEquals(gone, decision == Decision.Release.NOT_HELD, replies::toString);
            assertEquals(!reached, decision == Decision.Release.UNCONFIRMED, replies::toString);
        });
    }

    @Test
    void decidesEveryInspectionAndReportsOnlyMajorityHolder() {
        forEverySequence(TO_INSPECT, replies -> {
            VoteCollector collector = new VoteCollector(new Quorum(MASTERS));
            for (int i = 0; i < MASTERS; i++) {
                collector.record(i, replies.get(i));
            }
            Inspection inspection = Redlock.inspection(collector);
            long a = replies.stream().filter(holding("a")::equals).count();
            boolean shown = inspection instanceof Inspection.Held held
                    && held.first().owner().equals(Optional.of(new Owner("a")));
            assertEquals(a >= MAJORITY, shown, replies::toString);
            boolean nobodyCan = Math.max(a, count(replies, Held.class) - a) + count(replies, Failed.class) < MAJORITY;
            assertEquals(nobodyCan, inspection instanceof Inspection.Free, replies::toString);
        });
    }

    private static MasterReply holding(String holder) {
        Holding holding = new Holding(
                holder,
                Optional.empty(),
                0,
                Optional.of(new Owner(holder)),
                LockKind.EXCLUSIVE,
                Optional.empty(),
                Duration.ofSeconds(1),
                Optional.empty(),
                List.of());
        return new Held(List.of(holding));
    }

    /** Returns the decision at the first reply that allows one. */
    private static <V> V first(List<MasterReply> replies, Function<VoteCollector, Optional<V>> rule) {
        VoteCollector collector = new VoteCollector(new Quorum(MASTERS));
        Optional<V> first = Optional.empty();
        for (int i = 0; i < MASTERS; i++) {
            collector.record(i, replies.get(i));
            Optional<V> now = rule.apply(collector);
            if (first.isEmpty()) {
                first = now;
            }
        }
        return first.orElseThrow(() -> new AssertionError("undecided: " + replies));
    }

    private static int count(List<MasterReply> replies, Class<?>... kinds) {
        return (int) replies.stream()
                .filter(reply -> List.of(kinds).contains(reply.getClass()))
                .count();
    }

    private static void forEverySequence(List<MasterReply> kinds, Consumer<List<MasterReply>> check) {
        forEverySequence(kinds, new ArrayList<>(), check);
    }

    private static void forEverySequence(
            List<MasterReply> kinds, List<MasterReply> begun, Consumer<List<MasterReply>> check) {
        if (begun.size() == MASTERS) {
            check.accept(begun);
            return;
        }
        for (MasterReply kind : kinds) {
            begun.add(kind);
            forEverySequence(kinds, begun, check);
            begun.remove(begun.size() - 1);
        }
    }
}
