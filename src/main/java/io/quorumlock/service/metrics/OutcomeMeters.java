// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.quorumlock.core.lock.LockOutcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of one name by outcome. Keeps them, because a lookup in the registry takes several times as long. */
final class OutcomeMeters<M extends Meter> {
    private final MeterProvider<M> provider;
    private final Map<Enum<?>, M> meters = new ConcurrentHashMap<>();

    /** @param kinds the outcomes whose series exist before the first event, so that rates include it */
    OutcomeMeters(MeterProvider<M> provider, Set<? extends Enum<?>> kinds) {
        this.provider = provider;
        kinds.forEach(this::of);
    }

    M of(LockOutcome outcome) {
        return of(outcome.kind());
    }

    private M of(Enum<?> kind) {
        return meters.computeIfAbsent(kind, key -> provider.withTag("outcome", LockOutcome.label(key)));
    }
}
