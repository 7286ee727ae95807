// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.Consensus;
import io.quorumlock.consensus.ConsensusSettings;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Release;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.time.Drift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An ensemble of three servers, each of which is killed and restarted once, so that the leader changes. */
@Tag("nightly")
class ZooKeeperEnsembleTest {
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    private int leases;

    @Test
    void keepsLeasesWhileMembersAreKilled() throws Exception {
        EngineContext real = SharedZooKeeper.LOOP.engineContext;
        // The clock stands still, so that no lease ends meanwhile.
        EngineContext engineContext = new EngineContext(
                () -> new MonotonicTime(0), real.wallClock(), real.scheduler(), real.loop(), real.random());
        try (TestingCluster ensemble = new TestingCluster(3)) {
            ensemble.start();
            ZooKeeperStore store = new ZooKeeperStore(TestSettings.of(ensemble.getConnectString()), engineContext);
            Consensus engine = new Consensus(
                    store,
                    new ConsensusSettings(
                            new Drift(0.01, Duration.ofMillis(2)), 3, Duration.ofMinutes(1), Duration.ofMillis(100)),
                    engineContext,
                    new EventLog());
            engine.start();
            RealLoop.await(store.firstReady());
            for (InstanceSpec member : ensemble.getInstances()) {
                Lease lease = acquire(engine);
                ensemble.killServer(member);
                Eventually.within(RECOVERY, "lock not held", () -> isHeld(engine));
                release(engine, lease.token());
                Lease next = acquire(engine);
                assertTrue(next.fence().compareTo(lease.fence()) > 0);
                ensemble.restartServer(member);
                Eventually.within(RECOVERY, "lock not held", () -> isHeld(engine));
                release(engine, next.token());
            }
            RealLoop.await(store.close());
        }
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

    /** Returns whether another client gets the answer that the lock is held. */
    private static boolean isHeld(Consensus engine) {
        Acquisition outcome = RealLoop.await(engine.acquire(RESOURCE, terms(B)));
        assertTrue(outcome.granted().isEmpty(), outcome::toString);
        return outcome instanceof Acquisition.Held;
    }
}
