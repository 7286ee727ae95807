// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.core.lock.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a client requests.
 *
 * @param names of the locks of one lease, in any order
 * @param ttl in nanoseconds, like all durations of a history
 * @param longestWait how long the client waits for the lock
 * @param keep how long the lock stays taken after its release
 */
public record Terms(List<String> names, String token, long ttl, long longestWait, long keep, LockKind kind) {

    /** Creates terms without a wait. */
    public static Terms of(String resource, String token, Duration ttl) {
        return new Terms(List.of(resource), token, ttl.toNanos(), 0, 0, LockKind.EXCLUSIVE);
    }

    /** Groups calls, or what belongs to one, by their locks. A call for several locks is in several groups. */
    public static <T> Map<String, List<T>> byName(Collection<T> all, Function<T, Terms> terms) {
        Map<String, List<T>> groups = new HashMap<>();
        for (T each : all) {
            for (String name : terms.apply(each).names()) {
                groups.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
            }
        }
        return groups;
    }

    /** Returns the first name, or the only one. */
    public String resource() {
        return names.get(0);
    }

    public boolean areOfSeveral() {
        return names.size() > 1;
    }

    /** Returns the same terms for other locks. */
    public Terms of(List<String> others) {
        return new Terms(others, token, ttl, longestWait, keep, kind);
    }

    public Terms waiting(Duration most) {
        return new Terms(names, token, ttl, most.toNanos(), keep, kind);
    }

    public Terms keeping(Duration time) {
        return new Terms(names, token, ttl, longestWait, time.toNanos(), kind);
    }

    public Terms of(LockKind other) {
        return new Terms(names, token, ttl, longestWait, keep, other);
    }
}
