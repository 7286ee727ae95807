package io.quorumlock.redis;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NameRange;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.ScanStep;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** Asks one Redis master by script, and reads its answers. */
final class RedisNode implements LockNode {
    private static final String RELEASED = "released";
    private static final String BROKEN = "broken";
    private static final String FROM_THE_START = "0";
    /** Keys looked at in one step: Redis serves others in between. */
    private static final int SCANNED_AT_ONCE = 250;

    /** Stands where it does not matter how often a lease was extended. */
    private static final String HOWEVER_OFTEN = "";

    private static final String NO_ATTEMPT = "";
    private static final String NOBODY = "";

    private final NodeLink link;
    private final KeyPrefixes keys;
    private final String extensionsMax;

    RedisNode(NodeLink link, KeyPrefixes keys, int extensionsMax) {
        this.link = link;
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
    public void acquire(AcquireCommand claim, Consumer<NodeReply> reply) {
        Request request = requestWithCounter(LuaScript.ACQUIRE, claim.resource())
                .arg(LockValue.of(claim))
                .arg(claim.terms().ttl().toMillis())
                .arg(claim.candidate().number());
        announce(request);
        poll(LuaScript.ACQUIRE, request, ScriptReplies::toAcquire, reply);
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
        Request request = request(LuaScript.EXTEND, resource)
                .arg(LockValue.prefix(DeleteCondition.ofLease(resource, token)))
                .arg(ttl.toMillis())
                .arg(extensionsMax);
        announce(request);
        poll(LuaScript.EXTEND, request, ScriptReplies::toExtend, reply);
    }

    @Override
    public void raise(DeleteCondition condition, FencingToken fence, Consumer<NodeReply> reply) {
        ResourceName resource = condition.resource();
        Request request = requestWithCounter(LuaScript.RAISE, resource)
                .arg(LockValue.prefix(DeleteCondition.ofLease(resource, condition.token())))
                .arg(fence.number())
                .arg(condition.attempt().orElse(NO_ATTEMPT));
        announce(request);
        poll(LuaScript.RAISE, request, ScriptReplies::toRaise, reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<NodeReply> reply) {
        Request request = request(LuaScript.RELEASE, condition.resource())
                .arg(LockValue.prefix(condition))
                .arg(condition.isAnnounced() ? keys.releasesOf(condition.resource()) : NOBODY)
                .arg(announcement(condition));
        condition.extensionsUsed().ifPresentOrElse(request::arg, () -> request.arg(HOWEVER_OFTEN));
        if (link.isListenedTo()) {
            announce(request);
            request.arg(condition.end() == DeleteCondition.End.BROKEN ? BROKEN : RELEASED);
        }
        send(LuaScript.RELEASE, request, ScriptReplies::toRelease, reply);
    }

    private static String announcement(DeleteCondition condition) {
        if (condition.isAnnouncedAsGranted()) {
            return RedisReleaseSignal.AS_GRANTED;
        }
        return condition.end() == DeleteCondition.End.PASSED_ON
                ? RedisReleaseSignal.PASSED_ON
                : RedisReleaseSignal.FREE;
    }

    @Override
    public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
        poll(LuaScript.INSPECT, request(LuaScript.INSPECT, resource), ScriptReplies::toInspect, reply);
    }

    /** Is not told what was found last: Redis would compare by its own locale. */
    @Override
    public void scan(ScanStep step, Consumer<NodeReply> reply) {
        NameRange range = step.range();
        Request request = Request.cmd(Command.EVALSHA)
                .arg(LuaScript.SCAN.sha())
                .arg(0)
                .arg(step.from().orElse(FROM_THE_START))
                .arg(KeyPattern.beginningWith(keys.lock() + range.prefix().text()))
                .arg(SCANNED_AT_ONCE);
        poll(LuaScript.SCAN, request, response -> ScriptReplies.toScan(response, keys.lock(), range), reply);
    }

    /** Lets the script tell what it did, while somebody listens: otherwise that would cost, and serve nobody. */
    private void announce(Request request) {
        if (link.isListenedTo()) {
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

    /** Asks for a vote, which a node in quarantine does not give (R9), also where it is put there as it answers. */
    private void poll(
            LuaScript script, Request request, Function<Response, NodeReply> reading, Consumer<NodeReply> reply) {
        if (link.mayVote()) {
            send(script, request, response -> link.mayVote() ? reading.apply(response) : notCounted(), reply);
        } else {
            link.noVote(link.abstention());
            reply.accept(new NodeReply.Failed(link.abstention(), false));
        }
    }

    private NodeReply notCounted() {
        return new NodeReply.Failed(link.abstention(), true);
    }

    private void send(
            LuaScript script, Request request, Function<Response, NodeReply> reading, Consumer<NodeReply> reply) {
        link.send(script.command(), request, new io.quorumlock.redis.Command.Listener() {
            @Override
            public void answered(Response response) {
                NodeReply read = ScriptReplies.read(response, reading);
                if (read instanceof NodeReply.Failed failed) {
                    link.noVote(failed.reason());
                } else {
                    link.voted();
                }
                reply.accept(read);
            }

            @Override
            public void failed(NodeFailure reason, boolean sent) {
                reply.accept(new NodeReply.Failed(reason, sent));
            }
        });
    }
}
