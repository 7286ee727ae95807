// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Locks kept by the production scripts in an in-memory Redis. Announces nothing. */
public final class ScriptStore implements LockStore {
    private static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");
    private static final String NOBODY = "";
    private static final String NOTHING = "";

    private final LuaRedis redis;
    private final String extensionsMax;
    private final int counters;

    /** @param counters of fencing tokens, shared by all resources */
    public ScriptStore(MonotonicClock clock, int extensionsMax, int counters) {
        this.redis = new LuaRedis(clock);
        this.extensionsMax = Integer.toString(extensionsMax);
        this.counters = counters;
    }

    @Override
    public NodeReply acquire(AcquireCommand claim) {
        List<String> arguments = List.of(
                LockValue.of(claim),
                millis(claim.terms().ttl()),
                Long.toString(claim.candidate().number()));
        return run(LuaScript.ACQUIRE, withCounter(claim.resource()), arguments, ScriptReplies::toAcquire);
    }

    @Override
    public NodeReply extend(ResourceName resource, LeaseToken token, Duration ttl) {
        List<String> arguments =
                List.of(LockValue.prefix(DeleteCondition.ofLease(resource, token)), millis(ttl), extensionsMax);
        return run(LuaScript.EXTEND, lock(resource), arguments, ScriptReplies::toExtend);
    }

    @Override
    public NodeReply raise(ResourceName resource, LeaseToken token, FencingToken fence) {
        List<String> arguments =
                List.of(LockValue.prefix(DeleteCondition.ofLease(resource, token)), Long.toString(fence.number()));
        return run(LuaScript.RAISE, withCounter(resource), arguments, ScriptReplies::toRaise);
    }

    @Override
    public NodeReply release(DeleteCondition condition) {
        String extensionsUsed = condition.extensionsUsed().isPresent()
                ? Integer.toString(condition.extensionsUsed().getAsInt())
                : NOTHING;
        List<String> arguments = List.of(LockValue.prefix(condition), NOBODY, NOTHING, extensionsUsed);
        return run(LuaScript.RELEASE, lock(condition.resource()), arguments, ScriptReplies::toRelease);
    }

    @Override
    public NodeReply inspect(ResourceName resource) {
        return run(LuaScript.INSPECT, lock(resource), List.of(), ScriptReplies::toInspect);
    }

    @Override
    public NodeReply scan(ScanStep step) {
        throw new UnsupportedOperationException("scan");
    }

    @Override
    public void clear() {
        redis.clear();
    }

    @Override
    public boolean isEmpty() {
        return !redis.holdsAny(KEYS.lock());
    }

    @Override
    public Runnable snapshot() {
        return redis.snapshot();
    }

    private NodeReply run(
            LuaScript script, List<String> keys, List<String> arguments, Function<Response, NodeReply> reading) {
        return ScriptReplies.read(redis.run(script, keys, arguments), reading);
    }

    private static List<String> lock(ResourceName resource) {
        return List.of(KEYS.lockOf(resource));
    }

    private List<String> withCounter(ResourceName resource) {
        int counter = Math.floorMod(resource.hashCode(), counters);
        return List.of(KEYS.lockOf(resource), KEYS.fence() + counter + "/");
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
