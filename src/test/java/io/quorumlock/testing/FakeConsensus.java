// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.features.events.LockWatch;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.features.events.MajorityWatch;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Two replicas of the consensus engine on a fake store and virtual time. */
public final class FakeConsensus implements EngineFixture {
    public static final Duration STORE_TIMEOUT = Duration.ofMillis(50);
    public static final Duration TTL_MAX = Duration.ofSeconds(60);
    public static final EngineSettings SETTINGS = new EngineSettings(
            new Drift(0.01, Duration.ofMillis(2)),
            OptionalInt.of(EngineFixture.EXTENSIONS_MAX),
            TTL_MAX,
            STORE_TIMEOUT);

    public final VirtualTime time = new VirtualTime();
    public final FakeRecordStore store = new FakeRecordStore(time, STORE_TIMEOUT);
    public final FakeRecordStore.Connection connection = store.connect();
    public final FakeRecordStore.Connection otherConnection = store.connect();
    public final EventLog events = new EventLog();
    public final Consensus engine = replica(connection, time.engineContext(1));
    public final Consensus other = replica(otherConnection, time.engineContext(2));

    /** Creates a replica. */
    public Consensus replica(FakeRecordStore.Connection connected, EngineContext engineContext) {
        Consensus replica = new Consensus(connected, SETTINGS, engineContext, events);
        replica.start();
        time.pass(Duration.ZERO);
        return replica;
    }

    /** Creates a replica with wait queues. */
    public WaitQueues waitQueues(FakeRecordStore.Connection connected, long seed) {
        EngineContext engineContext = time.engineContext(seed);
        Consensus replica = replica(connected, engineContext);
        return new WaitQueues(replica, 1, 0.01, replica.signal(), new WaitingLimits(100, 100), engineContext, events);
    }

    /** Returns the changes of locks from now on, as the first replica reports them. */
    public List<LockEvent> watchEvents() {
        List<LockEvent> changes = new ArrayList<>();
        new MajorityWatch(engine.announcements(), time.engineContext(6)).watch(any -> true, new LockWatch.Listener() {
            @Override
            public void changed(LockEvent change) {
                changes.add(change);
            }

            @Override
            public void missed(LockWatch.Gap gap) {
                throw new AssertionError("gap " + gap);
            }
        });
        time.pass(Duration.ZERO);
        return changes;
    }

    @Override
    public LockEngine engine() {
        return engine;
    }

    @Override
    public LockEngine otherReplica() {
        return other;
    }

    @Override
    public LockDirectory directory() {
        return engine;
    }

    /** Advances time by milliseconds until the answer is complete, for a few timeouts of the store at most. */
    @Override
    public <T> T await(CompletableFuture<T> answer) {
        time.pass(Duration.ZERO);
        for (int i = 0; i < 5 * STORE_TIMEOUT.toMillis() && !answer.isDone(); i++) {
            time.pass(Duration.ofMillis(1));
        }
        return answer.getNow(null);
    }

    @Override
    public void pass(Duration duration) {
        time.pass(duration);
    }

    @Override
    public void close() {
        // Nothing was started.
    }
}
