// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redis.Call;
import io.quorumlock.engines.redis.Command;
import io.quorumlock.engines.redis.KeyPrefixes;
import io.quorumlock.engines.redis.ScriptCalls;
import io.quorumlock.engines.redis.ScriptReplies;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.RestoreCommand;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** One Redis master as a master of the algorithm: runs the scripts and parses their replies. */
final class RedisMaster implements LockMaster {
    private final MasterLink link;
    private final LinkStatus status;
    private final ScriptCalls calls;

    RedisMaster(MasterLink link, KeyPrefixes keys, int extensionsMax) {
        this.link = link;
        this.status = link.status();
        this.calls = new ScriptCalls(keys, extensionsMax);
    }

    @Override
    public OptionalLong wallClock() {
        return link.clockWatch().wallClock();
    }

    @Override
    public void acquire(AcquireCommand command, Consumer<MasterReply> reply) {
        vote(calls.acquire(command, link.hasEventListeners()), ScriptReplies::toAcquire, reply);
    }

    @Override
    public void extend(ResourceNames resources, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        vote(calls.extend(resources, token, ttl, link.hasEventListeners()), ScriptReplies::toExtend, reply);
    }

    @Override
    public void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        vote(calls.raise(resources, token, fence, link.hasEventListeners()), ScriptReplies::toRaise, reply);
    }

    @Override
    public void restore(RestoreCommand command, Optional<Duration> permission, Consumer<MasterReply> reply) {
        vote(calls.restore(command, permission), ScriptReplies::toRestore, reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        send(calls.release(condition, link.hasEventListeners()), ScriptReplies::toRelease, reply);
    }

    @Override
    public void inspect(ResourceName resource, Consumer<MasterReply> reply) {
        vote(calls.inspect(resource), ScriptReplies::toInspect, reply);
    }

    /** Filters names here: Redis would compare them by its own locale. */
    @Override
    public void scan(ScanStep step, Consumer<MasterReply> reply) {
        String lockPrefix = calls.keys().lock();
        vote(calls.scan(step), response -> ScriptReplies.toScan(response, lockPrefix, step.range()), reply);
    }

    /** Requests a vote. A master in quarantine gives none (R9), even if the quarantine begins with this reply. */
    private void vote(Call call, Function<Response, MasterReply> reader, Consumer<MasterReply> reply) {
        if (status.mayVote()) {
            send(call, response -> status.mayVote() ? reader.apply(response) : notCounted(), reply);
        } else {
            link.recordFailure(status.abstention(), Optional.empty());
            reply.accept(new MasterReply.Failed(status.abstention(), false));
        }
    }

    private MasterReply notCounted() {
        return new MasterReply.Failed(status.abstention(), true);
    }

    private void send(Call call, Function<Response, MasterReply> reader, Consumer<MasterReply> reply) {
        link.send(call, new Command.Listener() {
            @Override
            public void answered(Response response) {
                MasterReply read = ScriptReplies.read(response, reader);
                if (read instanceof MasterReply.Failed failed) {
                    link.recordFailure(failed.reason(), Optional.empty());
                } else {
                    status.voted();
                }
                reply.accept(read);
            }

            @Override
            public void failed(ServerFailure reason, boolean sent) {
                reply.accept(new MasterReply.Failed(reason, sent));
            }
        });
    }
}
