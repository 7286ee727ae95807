// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.RestoreCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operations of the batch script. The header comment of each defines its keys and arguments. */
public final class ScriptCalls {
    private static final String RELEASED = "released";
    private static final String BROKEN = "broken";
    private static final String FIRST_CURSOR = "0";
    /** Keys per scan step. Redis serves other clients between two steps. */
    private static final String SCAN_COUNT = "250";

    /** Matches leases with any number of extensions. */
    private static final String ANY_NUMBER = "";

    private static final String NO_CHANNEL = "";
    private static final String NO_SLOT = "";

    /** Uses a permission instead of creating one. */
    private static final String NO_PERMISSION = "";

    private final KeyPrefixes keys;
    private final String extensionsMax;

    public ScriptCalls(KeyPrefixes keys, int extensionsMax) {
        this.keys = keys;
        this.extensionsMax = Integer.toString(extensionsMax);
    }

    public KeyPrefixes keys() {
        return keys;
    }

    /** @param events whether there are subscribers to events. Publishing costs CPU time of the master */
    public Call acquire(AcquireCommand command, boolean events) {
        LockKind kind = command.terms().kind();
        List<String> keys = locksAndCounters(command.resources());
        String value = LockValue.of(command);
        String ttl = millis(command.terms().ttl());
        String fence = Long.toString(command.candidate().number());
        String channel = events ? RedisAnnouncements.CHANNEL : NO_CHANNEL;
        if (!kind.isExclusive()) {
            return Call.of(
                    ScriptOperation.JOIN,
                    keys,
                    List.of(value, ttl, fence, channel, LockValue.kind(kind), slot(command)));
        }
        String reservation = command.reservation();
        return command.resources().count() == 1 && !events
                ? Call.usual(ScriptOperation.ACQUIRE, keys, List.of(value, ttl, fence, reservation))
                : Call.of(ScriptOperation.ACQUIRE, keys, List.of(value, ttl, fence, channel, reservation));
    }

    private static String slot(AcquireCommand command) {
        return command.slot().isPresent() ? Integer.toString(command.slot().getAsInt()) : NO_SLOT;
    }

    public Call extend(ResourceNames resources, LeaseToken token, Duration ttl, boolean events) {
        return announced(
                ScriptOperation.EXTEND,
                locks(resources),
                List.of(LockValue.prefix(token), millis(ttl), extensionsMax, resources.mark()),
                events);
    }

    public Call raise(ResourceNames resources, LeaseToken token, FencingToken fence, boolean events) {
        return announced(
                ScriptOperation.RAISE,
                locksAndCounters(resources),
                List.of(LockValue.prefix(token), Long.toString(fence.number())),
                events);
    }

    public Call restore(RestoreCommand command, Optional<Duration> permission) {
        String validity = permission.map(ScriptCalls::millis).orElse(NO_PERMISSION);
        return Call.of(
                ScriptOperation.RESTORE,
                locksAndCounters(command.resources()),
                List.of(LockValue.of(command), command.permit(), validity));
    }

    public Call release(DeleteCondition condition, boolean events) {
        List<String> keys = locks(condition.resources());
        String prefix = LockValue.prefix(condition);
        String releases = condition.isAnnounced() ? KeyPrefixes.RELEASES : NO_CHANNEL;
        if (condition.isPlain() && !events) {
            return Call.usual(ScriptOperation.RELEASE, keys, List.of(prefix, releases));
        }
        String most = condition.mostExtensions().isPresent()
                ? Integer.toString(condition.mostExtensions().getAsInt())
                : ANY_NUMBER;
        String keep = millis(condition.keep());
        String mark = condition.resources().mark();
        return events
                ? Call.of(
                        ScriptOperation.RELEASE,
                        keys,
                        List.of(prefix, releases, most, keep, mark, RedisAnnouncements.CHANNEL, reason(condition)))
                : Call.of(ScriptOperation.RELEASE, keys, List.of(prefix, releases, most, keep, mark));
    }

    private static String reason(DeleteCondition condition) {
        return condition.reason() == DeleteCondition.Reason.BROKEN ? BROKEN : RELEASED;
    }

    public Call inspect(ResourceName resource) {
        return Call.of(ScriptOperation.INSPECT, List.of(keys.lockOf(resource)), List.of());
    }

    public Call scan(ScanStep step) {
        return Call.of(
                ScriptOperation.SCAN,
                List.of(),
                List.of(
                        step.from().orElse(FIRST_CURSOR),
                        keys.lockPattern(step.range().prefix().text()),
                        SCAN_COUNT));
    }

    /** Adds the channel of events if there are subscribers. */
    private static Call announced(
            ScriptOperation operation, List<String> keys, List<String> arguments, boolean events) {
        List<String> all = new ArrayList<>(arguments);
        if (events) {
            all.add(RedisAnnouncements.CHANNEL);
        }
        return Call.of(operation, keys, all);
    }

    private List<String> locks(ResourceNames resources) {
        return resources.list().stream().map(keys::lockOf).toList();
    }

    private List<String> locksAndCounters(ResourceNames resources) {
        List<String> all = new ArrayList<>(2 * resources.count());
        resources.list().forEach(resource -> all.add(keys.lockOf(resource)));
        resources.list().forEach(resource -> all.add(keys.counterOf(resource)));
        return all;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
