// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.redlock.Redlock;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The real algorithm on fake masters and virtual time. */
public final class FakeFleet {
    private static final double DRIFT_FACTOR = 0.01;

    public static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
    public static final Duration TTL = Duration.ofSeconds(10);
    public static final Duration TTL_MAX = Duration.ofSeconds(60);
    public static final int EXTENSIONS_MAX = 3;
    public static final ResourceName RESOURCE = new ResourceName("orders/42");
    public static final LeaseToken A = new LeaseToken("token-of-client-A");
    public static final LeaseToken B = new LeaseToken("token-of-client-B");

    public static final EngineSettings SETTINGS = new EngineSettings(
            new Drift(DRIFT_FACTOR, Duration.ofMillis(2)), OptionalInt.of(EXTENSIONS_MAX), TTL_MAX, NODE_TIMEOUT);

    public final VirtualTime time = new VirtualTime();
    public final List<FakeMaster> masters;
    public final Redlock engine;
    public final Redlock directory;
    public final EventLog events = new EventLog();

    public FakeFleet(int size) {
        masters = IntStream.rangeClosed(1, size)
                .mapToObj(i -> new FakeMaster(time, NODE_TIMEOUT, EXTENSIONS_MAX))
                .toList();
        engine = replica(1);
        directory = replica(-1);
    }

    /** Creates another engine on the same masters. */
    public Redlock replica(long seed) {
        return replica(time.engineContext(seed));
    }

    /** Creates an engine on the same masters whose wall clock is wrong. */
    public Redlock replica(long seed, Duration ahead) {
        EngineContext right = time.engineContext(seed);
        return replica(new EngineContext(
                right.clock(),
                () -> right.wallClock().instant().plus(ahead),
                right.scheduler(),
                right.loop(),
                right.random()));
    }

    private Redlock replica(EngineContext engineContext) {
        return new Redlock(masters, SETTINGS, engineContext, events);
    }

    /** Creates a replica with wait queues. */
    public WaitQueues waitQueues(long seed, ReleaseSignal signal, WaitingLimits limits) {
        int quorum = masters.size() / 2 + 1;
        return new WaitQueues(replica(seed), quorum, DRIFT_FACTOR, signal, limits, time.engineContext(seed), events);
    }

    public FakeSignal signal() {
        return new FakeSignal(masters, time);
    }

    public FakeMaster master(int number) {
        return masters.get(number - 1);
    }

    /** Sets the fault of the masters with these numbers. */
    public void setFault(FakeMaster.Fault fault, int... numbers) {
        for (int number : numbers) {
            master(number).setFault(fault);
        }
    }

    public void heal() {
        masters.forEach(master -> master.setFault(FakeMaster.Fault.NONE));
    }

    public static AcquireTerms terms(LeaseToken token) {
        return terms(token, TTL);
    }

    public static AcquireTerms terms(LeaseToken token, Duration ttl) {
        return new AcquireTerms(ttl, Duration.ZERO, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    public Acquisition acquire(LeaseToken token) {
        return await(engine.acquire(RESOURCE, terms(token)));
    }

    public Extension extend(LeaseToken token) {
        return await(engine.extend(RESOURCE, token, TTL));
    }

    public Release release(LeaseToken token) {
        return await(engine.release(RESOURCE, token));
    }

    public Inspection inspect() {
        return await(engine.inspect(RESOURCE));
    }

    public ForcedRelease force() {
        CompletableFuture<ForcedRelease> forced = directory.forceRelease(RESOURCE, ForceTerms.ALL);
        // A forced release has two rounds; each can take a whole node timeout.
        await(forced);
        return await(forced);
    }

    /** Advances time by milliseconds until the answer is complete, at most slightly longer than a node timeout. */
    public <T> T await(CompletableFuture<T> answer) {
        time.pass(Duration.ZERO);
        for (int i = 0; i < 60 && !answer.isDone(); i++) {
            time.pass(Duration.ofMillis(1));
        }
        return answer.getNow(null);
    }

    /** Counts the masters that hold a lock. */
    public long holding() {
        return masters.stream().filter(master -> !master.holdsNothing()).count();
    }
}
