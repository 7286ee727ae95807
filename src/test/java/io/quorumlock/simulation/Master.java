package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.Claim;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.Stake;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.Moment;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Is one Redis process: its data, its clock, what it keeps over a restart, and its quarantine (R9). */
final class Master {
    /** Is what a restart leaves of the data. */
    enum Persistence {
        KEEPS_ALL,
        LOSES_RECENT,
        LOSES_ALL
    }

    private static final long EPOCH = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    /** Shared by all resources, as few as can be. */
    private static final int FEW_COUNTERS = 2;

    final int number;
    final OwnClock clock;
    final LockStore store;
    final Persistence persistence;
    private final boolean guarded;
    private final long wallOffsetMillis;
    private final Set<LeaseToken> granted = new HashSet<>();
    private Runnable snapshot;
    private boolean up = true;
    private boolean unadmitted;
    private boolean emptied;
    private int run;
    private long hungUntil;
    private Moment coldUntil;

    /** @param wallOffsetMillis by how much its time of day is wrong from the start */
    Master(int number, OwnClock clock, long wallOffsetMillis, Persistence persistence, Tampering tampering) {
        this.number = number;
        this.clock = clock;
        this.wallOffsetMillis = wallOffsetMillis;
        this.persistence = persistence;
        this.store = tampering.store(clock, FEW_COUNTERS);
        this.guarded = tampering.guardsRestarts();
        this.coldUntil = clock.now();
        this.snapshot = store.snapshot();
    }

    /** Returns its time of day in milliseconds, by the agenda's time. */
    long wallClock(long now) {
        return EPOCH + wallOffsetMillis + (now + clock.stepped()) / 1_000_000;
    }

    boolean isUp() {
        return up;
    }

    /** Says until when the process is stopped. */
    long hungUntil() {
        return hungUntil;
    }

    void hang(long until) {
        hungUntil = Math.max(hungUntil, until);
    }

    void crash() {
        up = false;
        hungUntil = 0;
    }

    /** Tells one life of the process from the next. */
    int run() {
        return run;
    }

    void restart() {
        up = true;
        run++;
        if (emptied || persistence == Persistence.LOSES_ALL) {
            store.clear();
        } else if (persistence == Persistence.LOSES_RECENT) {
            snapshot.run();
        }
        unadmitted |= emptied || persistence != Persistence.KEEPS_ALL;
        emptied = false;
    }

    /** Loses its disk: it will come back empty, whatever it keeps. */
    void loseAll() {
        emptied = true;
        store.clear();
        snapshot = store.snapshot();
    }

    /** Loses a lock and nothing else. */
    void evict(ResourceName resource) {
        if (store.inspect(resource) instanceof NodeReply.Holding holding) {
            store.release(Stake.ofLease(resource, new LeaseToken(holding.holder())));
        }
    }

    /** Takes its vote away, because its clock was set. */
    void doubt() {
        if (guarded) {
            coldUntil = clock.now().plus(Scale.QUARANTINE);
        }
    }

    void save() {
        if (up && persistence == Persistence.LOSES_RECENT) {
            snapshot = store.snapshot();
        }
    }

    /** Decides in the handshake of a connection whether the node may vote (R9). */
    void admit() {
        if (unadmitted) {
            unadmitted = false;
            if (guarded) {
                coldUntil = clock.now().plus(Scale.QUARANTINE);
            }
        }
    }

    boolean isCold() {
        return unadmitted || clock.now().isBefore(coldUntil);
    }

    /** Says whether it cannot be counted on to remember. */
    boolean isForgetful() {
        return isCold() || !up && persistence != Persistence.KEEPS_ALL;
    }

    NodeReply acquire(Claim claim) {
        NodeReply reply = store.acquire(claim);
        if (reply instanceof NodeReply.Granted) {
            granted.add(claim.token());
        }
        return reply;
    }

    /** Says whether the token ever won this node's vote. */
    boolean everGranted(LeaseToken token) {
        return granted.contains(token);
    }

    /** Answers what is asked, unless it is in quarantine. */
    NodeReply vote(Supplier<NodeReply> answer) {
        return isCold() ? new NodeReply.Failed(NodeFailure.QUARANTINED, false) : answer.get();
    }
}
