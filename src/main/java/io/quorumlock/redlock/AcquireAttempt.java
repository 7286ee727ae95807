package io.quorumlock.redlock;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Owner;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.Refused;
import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Is one attempt to acquire: from the clock sample to the answer, and the clean-up if the answer is no. */
final class AcquireAttempt implements QuorumRound.Listener<AcquireVerdict> {
    private final Claim claim;
    private final Moment started;
    private final Rules rules;
    private final MonotonicClock clock;
    private final CleanUp cleanUp;
    private final Predicate<Outcome> answer;
    private boolean abandoned;

    /** Is the answer and the time that it took. */
    record Outcome(Acquisition acquisition, Duration elapsed, boolean split) {}

    /** @param answer hears the outcome, and says whether the caller is still there to take it (R11) */
    AcquireAttempt(Claim claim, Rules rules, MonotonicClock clock, CleanUp cleanUp, Predicate<Outcome> answer) {
        this.claim = claim;
        this.rules = rules;
        this.clock = clock;
        this.cleanUp = cleanUp;
        this.answer = answer;
        this.started = clock.now();
    }

    void run(List<LockNode> nodes) {
        QuorumRound.run(nodes, (node, reply) -> node.acquire(claim, reply), AcquireVerdict::decide, this);
    }

    @Override
    public void decided(AcquireVerdict verdict, Ballot ballot, List<LockNode> nodes) {
        Duration elapsed = clock.now().since(started);
        Acquisition acquisition = acquisition(verdict, ballot, elapsed);
        boolean split = verdict == AcquireVerdict.HELD && ballot.count(Granted.class) > 0;
        boolean leased = acquisition instanceof Acquisition.Acquired || acquisition instanceof Acquisition.Replayed;
        boolean taken = answer.test(new Outcome(acquisition, elapsed, split));
        if (!leased || !taken) {
            abandon(ballot, nodes);
        }
    }

    @Override
    public void late(LockNode node, NodeReply reply) {
        if (abandoned) {
            deleteOwnValue(node, reply);
        }
    }

    private void abandon(Ballot ballot, List<LockNode> nodes) {
        abandoned = true;
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            ballot.of(i).ifPresent(reply -> deleteOwnValue(node, reply));
        }
    }

    private void deleteOwnValue(LockNode node, NodeReply reply) {
        if (NodeReplies.mayHoldOwnValue(reply)) {
            cleanUp.delete(node, claim.stake(), claim.terms().ttl(), ignored -> {});
        }
    }

    private Acquisition acquisition(AcquireVerdict verdict, Ballot ballot, Duration elapsed) {
        return switch (verdict) {
            case WON -> won(ballot, elapsed);
            case HELD -> new Acquisition.Held(untilMajorityFree(ballot), owner(ballot));
            case TOKEN_IN_USE -> new Acquisition.TokenInUse();
            case NO_QUORUM -> new Acquisition.NoQuorum(ballot.unanswered());
        };
    }

    private Acquisition won(Ballot ballot, Duration elapsed) {
        Duration validity = rules.drift().validity(leftOnMajority(ballot), elapsed);
        if (validity.isNegative() || validity.isZero()) {
            return new Acquisition.NoQuorum(ballot.unanswered());
        }
        int used = ballot.all(Adopted.class)
                .mapToInt(Adopted::extensionsUsed)
                .max()
                .orElse(0);
        Lease lease = new Lease(
                claim.resource(),
                claim.token(),
                claim.terms().ttl(),
                validity,
                elapsed,
                rules.extensionsLeft(used),
                ballot.votes(ballot.count(NodeReplies::isVote)));
        boolean isNew = ballot.isMajority(ballot.count(Granted.class));
        return isNew ? new Acquisition.Acquired(lease) : new Acquisition.Replayed(lease);
    }

    /** Finds for how long a majority keeps the lock: with adopted votes that is what is left of an earlier grant. */
    private Duration leftOnMajority(Ballot ballot) {
        Duration ttl = claim.terms().ttl();
        Stream<Duration> granted = ballot.all(Granted.class).map(vote -> ttl);
        Stream<Duration> adopted = ballot.all(Adopted.class).map(vote -> min(vote.remaining(), ttl));
        return Stream.concat(granted, adopted)
                .sorted(Comparator.reverseOrder())
                .skip(ballot.required() - 1)
                .findFirst()
                .orElseThrow();
    }

    /** Finds when, by what the refusals say, enough nodes are free for a majority. */
    private Duration untilMajorityFree(Ballot ballot) {
        int missing = Math.max(1, ballot.required() - ballot.count(NodeReplies::isVote));
        List<Duration> ends =
                ballot.all(Refused.class).map(Refused::remaining).sorted().toList();
        return ends.isEmpty() ? Duration.ZERO : ends.get(Math.min(missing, ends.size()) - 1);
    }

    private static Optional<Owner> owner(Ballot ballot) {
        return ballot.all(Refused.class)
                .flatMap(refusal -> refusal.owner().stream())
                .findFirst();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
