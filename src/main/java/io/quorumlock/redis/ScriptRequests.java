// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockMaster.ScanStep;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;

/** The requests that run the scripts. The header comment of each script defines its keys and arguments. */
final class ScriptRequests {
    private static final String RELEASED = "released";
    private static final String BROKEN = "broken";
    private static final String FIRST_CURSOR = "0";
    /** Keys per scan step. Redis serves other clients between two steps. */
    private static final int SCAN_COUNT = 250;

    /** Matches leases with any number of extensions. */
    private static final String ANY_NUMBER = "";

    private static final String NO_CHANNEL = "";
    private static final String NO_SLOT = "";

    private final KeyPrefixes keys;
    private final String extensionsMax;

    ScriptRequests(KeyPrefixes keys, int extensionsMax) {
        this.keys = keys;
        this.extensionsMax = Integer.toString(extensionsMax);
    }

    KeyPrefixes keys() {
        return keys;
    }

    /** @param events whether there are subscribers to events. Publishing costs CPU time of the master */
    Request acquire(AcquireCommand command, boolean events) {
        LockKind kind = command.terms().kind();
        Request request = withCounters(script(kind), command.resources())
                .arg(LockValue.of(command))
                .arg(command.terms().ttl().toMillis())
                .arg(command.candidate().number());
        // Each argument costs time of the master, so the usual acquire has no more.
        if (kind.isExclusive() && !events && command.reservation().isZero()) {
            return request;
        }
        request.arg(events ? RedisAnnouncements.CHANNEL : NO_CHANNEL);
        return kind.isExclusive()
                ? request.arg(command.reservation().toMillis())
                : request.arg(LockValue.kind(kind)).arg(slot(command));
    }

    /** Returns the script of an acquire. */
    static LuaScript script(LockKind kind) {
        return kind.isExclusive() ? LuaScript.ACQUIRE : LuaScript.JOIN;
    }

    private static String slot(AcquireCommand command) {
        return command.slot().isPresent() ? Integer.toString(command.slot().getAsInt()) : NO_SLOT;
    }

    Request extend(ResourceNames resources, LeaseToken token, Duration ttl, boolean events) {
        Request request = withLocks(LuaScript.EXTEND, resources)
                .arg(LockValue.prefix(token))
                .arg(ttl.toMillis())
                .arg(extensionsMax)
                .arg(resources.mark());
        return announced(request, events);
    }

    Request raise(ResourceNames resources, LeaseToken token, FencingToken fence, boolean events) {
        Request request = withCounters(LuaScript.RAISE, resources)
                .arg(LockValue.prefix(token))
                .arg(fence.number());
        return announced(request, events);
    }

    Request release(DeleteCondition condition, boolean events) {
        Request request = withLocks(LuaScript.RELEASE, condition.resources())
                .arg(LockValue.prefix(condition))
                .arg(condition.isAnnounced() ? KeyPrefixes.RELEASES : NO_CHANNEL);
        if (condition.isPlain() && !events) {
            return request;
        }
        condition.mostExtensions().ifPresentOrElse(request::arg, () -> request.arg(ANY_NUMBER));
        request.arg(condition.keep().toMillis()).arg(condition.resources().mark());
        if (events) {
            announced(request, true);
            request.arg(condition.reason() == DeleteCondition.Reason.BROKEN ? BROKEN : RELEASED);
        }
        return request;
    }

    Request inspect(ResourceName resource) {
        return withLocks(LuaScript.INSPECT, ResourceNames.of(resource));
    }

    Request scan(ScanStep step) {
        return Request.cmd(Command.EVALSHA)
                .arg(LuaScript.SCAN.sha())
                .arg(0)
                .arg(step.from().orElse(FIRST_CURSOR))
                .arg(keys.lockPattern(step.range().prefix().text()))
                .arg(SCAN_COUNT);
    }

    private static Request announced(Request request, boolean events) {
        return events ? request.arg(RedisAnnouncements.CHANNEL) : request;
    }

    private Request withLocks(LuaScript script, ResourceNames resources) {
        return addLocks(Request.cmd(Command.EVALSHA).arg(script.sha()).arg(resources.count()), resources);
    }

    private Request withCounters(LuaScript script, ResourceNames resources) {
        Request request =
                addLocks(Request.cmd(Command.EVALSHA).arg(script.sha()).arg(2 * resources.count()), resources);
        resources.list().forEach(resource -> request.arg(keys.counterOf(resource)));
        return request;
    }

    private Request addLocks(Request request, ResourceNames resources) {
        resources.list().forEach(resource -> request.arg(keys.lockOf(resource)));
        return request;
    }
}
