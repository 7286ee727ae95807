// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Fencing counters that behave as in the scripts: resources share them. */
final class FakeCounters {
    private final Map<Integer, FencingToken> counters = new HashMap<>();
    private final int count;

    FakeCounters(int count) {
        this.count = count;
    }

    /** Returns the next fencing token; empty if the counter is full. */
    Optional<FencingToken> grant(ResourceName resource, FencingToken candidate) {
        FencingToken last = counters.get(key(resource));
        if (last != null && last.number() == FencingToken.LARGEST) {
            return Optional.empty();
        }
        return Optional.of(counters.merge(key(resource), candidate, FakeCounters::next));
    }

    private static FencingToken next(FencingToken last, FencingToken candidate) {
        return candidate.compareTo(last) > 0 ? candidate : new FencingToken(last.number() + 1);
    }

    void raise(ResourceName resource, FencingToken fence) {
        counters.merge(key(resource), fence, (last, given) -> last.compareTo(given) > 0 ? last : given);
    }

    private int key(ResourceName resource) {
        return Math.floorMod(resource.hashCode(), count);
    }

    void clear() {
        counters.clear();
    }
}
