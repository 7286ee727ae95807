// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.PolledFleet;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the engine promises while a store loses each of its three members once, so that the leader changes. */
@Proves("L2")
public abstract class MemberLossContract {
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    private int leases;

    /** Connects to a cluster of three members. */
    protected abstract StoreConnection connect(EngineContext engineContext);

    protected abstract RealLoop loop();

    protected abstract void kill(int member) throws Exception;

    protected abstract void restart(int member) throws Exception;

    @Test
    void keepsLeasesWhileMembersAreKilled() throws Exception {
        EngineContext real = loop().engineContext;
        // The clock stands still, so that no lease ends meanwhile.
        EngineContext engineContext = new EngineContext(
                () -> new MonotonicTime(0), real.wallClock(), real.scheduler(), real.loop(), real.random());
        StoreConnection store = connect(real);
        Consensus engine = new Consensus(
                store,
                new EngineSettings(
                        new Drift(0.01, Duration.ofMillis(2)),
                        OptionalInt.empty(),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(100)),
                engineContext,
                new EventLog());
        engine.start();
        PolledFleet fleet =
                new PolledFleet(store.members(), store::isReady, Duration.ofSeconds(2), real, new MasterLog());
        RealLoop.await(CompletableFuture.allOf(store.firstReady(), fleet.start()));
        Eventually.within(RECOVERY, "no leader shown", () -> leads(fleet, 3));
        for (int i = 0; i < 3; i++) {
            int member = i;
            Lease lease = acquire(engine);
            kill(member);
            Eventually.within(RECOVERY, "lock not held", () -> isHeld(engine));
            // Each member is asked at another moment: until a killed leader is asked again, it is shown as up, and
            // another as down.
            Eventually.within(
                    RECOVERY,
                    "loss not shown",
                    () -> leads(fleet, 2) && !fleet.servers().get(member).up());
            release(engine, lease.token());
            Lease next = acquire(engine);
            assertTrue(next.fence().compareTo(lease.fence()) > 0);
            restart(member);
            Eventually.within(RECOVERY, "return not shown", () -> leads(fleet, 3));
            Eventually.within(RECOVERY, "lock not held", () -> isHeld(engine));
            release(engine, next.token());
        }
        RealLoop.await(store.close());
    }

    /**
     * Acquires the lock with a new token, again after no answer: the killed member may serve this client until just now.
     */
    private Lease acquire(Consensus engine) {
        LeaseToken token = new LeaseToken("token-of-lease-" + ++leases);
        AtomicReference<Acquisition> last = new AtomicReference<>();
        Eventually.within(RECOVERY, "lock not acquired", () -> {
            last.set(RealLoop.await(engine.acquire(RESOURCE, terms(token))));
            return !(last.get() instanceof Acquisition.NoQuorum);
        });
        return last.get().granted().orElseThrow();
    }

    /** Releases the lock, again after no answer. Then the first release may have had an effect. */
    private static void release(Consensus engine, LeaseToken token) {
        AtomicReference<Release> last = new AtomicReference<>();
        Eventually.within(RECOVERY, "lock not released", () -> {
            boolean repeated = last.get() != null;
            last.set(RealLoop.await(engine.release(RESOURCE, token)));
            assertTrue(repeated || !(last.get() instanceof Release.NotHeld), last::toString);
            return !(last.get() instanceof Release.Unconfirmed);
        });
    }

    /** Returns whether so many members are up, and one of them leads. */
    private static boolean leads(PolledFleet fleet, int up) {
        long leaders = fleet.servers().stream()
                .filter(member -> member.role().equals(Optional.of("leader")))
                .count();
        return fleet.up() == up && leaders == 1;
    }

    /** Returns whether another client gets the answer that the lock is held. */
    private static boolean isHeld(Consensus engine) {
        Acquisition outcome = RealLoop.await(engine.acquire(RESOURCE, terms(B)));
        assertTrue(outcome.granted().isEmpty(), outcome::toString);
        return outcome instanceof Acquisition.Held;
    }
}
