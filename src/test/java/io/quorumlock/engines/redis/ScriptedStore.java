// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.RestoreCommand;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The data of one master in memory, on which the production scripts run, without a connection. */
public final class ScriptedStore {
    private final KeyPrefixes keys = SimulatedServer.KEYS;
    private final ScriptCalls calls;
    private final LuaRedis redis;

    /** The replicas that wait for releases. */
    public interface Waiting {
        int subscribers(ResourceName resource);

        void released(ResourceName resource, long fence, int replicas);
    }

    public ScriptedStore(MonotonicClock clock, int extensionsMax, Waiting waiting) {
        this.calls = new ScriptCalls(keys, extensionsMax);
        this.redis = new LuaRedis(clock, new LuaRedis.Publisher() {
            @Override
            public int subscribers(String channel) {
                return waiting.subscribers(resource(channel));
            }

            @Override
            public void publish(String channel, String message) {
                String[] fields = (message.isEmpty() ? "0 0" : message).split(" ");
                waiting.released(resource(channel), Long.parseLong(fields[0]), Integer.parseInt(fields[1]));
            }

            private ResourceName resource(String channel) {
                return new ResourceName(channel.substring((KeyPrefixes.RELEASES + keys.lock()).length()));
            }
        });
    }

    public void clear() {
        redis.clear();
    }

    /** Returns whether there is no lock. Fencing counters do not count. */
    public boolean isEmpty() {
        return !redis.holdsAny(keys.lock());
    }

    /** Writes the value of another Redlock client if the lock is free, and returns whether it was. */
    public boolean acquireForeign(ResourceName resource, String value, Duration ttl) {
        boolean free = redis.value(keys.lockOf(resource)) == null;
        if (free) {
            redis.set(keys.lockOf(resource), value, ttl);
        }
        return free;
    }

    /** Deletes the value of another Redlock client. */
    public void deleteForeign(ResourceName resource, String value) {
        if (value.equals(redis.value(keys.lockOf(resource)))) {
            redis.keys().delete(keys.lockOf(resource));
        }
    }

    public MasterReply acquire(AcquireCommand command) {
        return run(calls.acquire(command, false), ScriptReplies::toAcquire);
    }

    public MasterReply extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return run(calls.extend(resources, token, ttl, false), ScriptReplies::toExtend);
    }

    public MasterReply raise(ResourceNames resources, LeaseToken token, FencingToken fence) {
        return run(calls.raise(resources, token, fence, false), ScriptReplies::toRaise);
    }

    public MasterReply restore(RestoreCommand command, Optional<Duration> permission) {
        return run(calls.restore(command, permission), ScriptReplies::toRestore);
    }

    public MasterReply release(DeleteCondition condition) {
        return run(calls.release(condition, false), ScriptReplies::toRelease);
    }

    public MasterReply inspect(ResourceName resource) {
        return run(calls.inspect(resource), ScriptReplies::toInspect);
    }

    public MasterReply scan(ScanStep step) {
        return run(calls.scan(step), response -> ScriptReplies.toScan(response, keys.lock(), step.range()));
    }

    private MasterReply run(Call call, Function<Response, MasterReply> reader) {
        return ScriptReplies.read(redis.run(call), reader);
    }
}
