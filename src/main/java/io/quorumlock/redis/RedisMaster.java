// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.redlock.LockMaster.NameRange;
import io.quorumlock.redlock.LockMaster.ScanStep;
import io.quorumlock.redlock.MasterReply;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** One Redis master as a master of the algorithm: runs the scripts and parses their replies. */
final class RedisMaster implements LockMaster {
    private static final String RELEASED = "released";
    private static final String BROKEN = "broken";
    private static final String FIRST_CURSOR = "0";
    /** Keys per scan step. Redis serves other clients between two steps. */
    private static final int SCAN_COUNT = 250;

    /** Matches leases with any number of extensions. */
    private static final String ANY_NUMBER = "";

    private static final String NO_CHANNEL = "";

    private final MasterLink link;
    private final MasterCommands commands;
    private final KeyPrefixes keys;
    private final String extensionsMax;

    RedisMaster(MasterLink link, KeyPrefixes keys, int extensionsMax) {
        this.link = link;
        this.commands = link.commands();
        this.keys = keys;
        this.extensionsMax = Integer.toString(extensionsMax);
    }

    @Override
    public String alias() {
        return link.alias();
    }

    @Override
    public OptionalLong wallClock() {
        return link.clockWatch().wallClock();
    }

    @Override
    public void acquire(AcquireCommand command, Consumer<MasterReply> reply) {
        Request request = requestWithCounter(LuaScript.ACQUIRE, command.resource())
                .arg(LockValue.of(command))
                .arg(command.terms().ttl().toMillis())
                .arg(command.candidate().number());
        announce(request);
        vote(LuaScript.ACQUIRE, request, ScriptReplies::toAcquire, reply);
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        Request request = request(LuaScript.EXTEND, resource)
                .arg(LockValue.prefix(DeleteCondition.ofLease(resource, token)))
                .arg(ttl.toMillis())
                .arg(extensionsMax);
        announce(request);
        vote(LuaScript.EXTEND, request, ScriptReplies::toExtend, reply);
    }

    @Override
    public void raise(ResourceName resource, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        Request request = requestWithCounter(LuaScript.RAISE, resource)
                .arg(LockValue.prefix(DeleteCondition.ofLease(resource, token)))
                .arg(fence.number());
        announce(request);
        vote(LuaScript.RAISE, request, ScriptReplies::toRaise, reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        Request request = request(LuaScript.RELEASE, condition.resource())
                .arg(LockValue.prefix(condition))
                .arg(condition.isAnnounced() ? keys.releasesOf(condition.resource()) : NO_CHANNEL);
        condition.mostExtensions().ifPresentOrElse(request::arg, () -> request.arg(ANY_NUMBER));
        if (link.hasEventListeners()) {
            announce(request);
            request.arg(condition.reason() == DeleteCondition.Reason.BROKEN ? BROKEN : RELEASED);
        }
        send(LuaScript.RELEASE, request, ScriptReplies::toRelease, reply);
    }

    @Override
    public void inspect(ResourceName resource, Consumer<MasterReply> reply) {
        vote(LuaScript.INSPECT, request(LuaScript.INSPECT, resource), ScriptReplies::toInspect, reply);
    }

    /** Filters names here: Redis would compare them by its own locale. */
    @Override
    public void scan(ScanStep step, Consumer<MasterReply> reply) {
        NameRange range = step.range();
        Request request = Request.cmd(Command.EVALSHA)
                .arg(LuaScript.SCAN.sha())
                .arg(0)
                .arg(step.from().orElse(FIRST_CURSOR))
                .arg(keys.lockPattern(range.prefix().text()))
                .arg(SCAN_COUNT);
        vote(LuaScript.SCAN, request, response -> ScriptReplies.toScan(response, keys.lock(), range), reply);
    }

    /** Makes the script publish an event if there are subscribers. Publishing costs CPU time of the master. */
    private void announce(Request request) {
        if (link.hasEventListeners()) {
            request.arg(RedisAnnouncements.CHANNEL);
        }
    }

    private Request request(LuaScript script, ResourceName resource) {
        return Request.cmd(Command.EVALSHA).arg(script.sha()).arg(1).arg(keys.lockOf(resource));
    }

    private Request requestWithCounter(LuaScript script, ResourceName resource) {
        return Request.cmd(Command.EVALSHA)
                .arg(script.sha())
                .arg(2)
                .arg(keys.lockOf(resource))
                .arg(keys.counterOf(resource));
    }

    /** Requests a vote. A master in quarantine gives none (R9), even if the quarantine begins with this reply. */
    private void vote(
            LuaScript script, Request request, Function<Response, MasterReply> reader, Consumer<MasterReply> reply) {
        if (commands.mayVote()) {
            send(script, request, response -> commands.mayVote() ? reader.apply(response) : notCounted(), reply);
        } else {
            commands.recordFailure(commands.abstention());
            reply.accept(new MasterReply.Failed(commands.abstention(), false));
        }
    }

    private MasterReply notCounted() {
        return new MasterReply.Failed(commands.abstention(), true);
    }

    private void send(
            LuaScript script, Request request, Function<Response, MasterReply> reader, Consumer<MasterReply> reply) {
        commands.send(script.command(), request, new io.quorumlock.redis.Command.Listener() {
            @Override
            public void answered(Response response) {
                MasterReply read = ScriptReplies.read(response, reader);
                if (read instanceof MasterReply.Failed failed) {
                    commands.recordFailure(failed.reason());
                } else {
                    commands.recordVote();
                }
                reply.accept(read);
            }

            @Override
            public void failed(MasterFailure reason, boolean sent) {
                reply.accept(new MasterReply.Failed(reason, sent));
            }
        });
    }
}
