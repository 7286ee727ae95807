// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Filters that bound the number of series. */
@Singleton
final class MeterFilters {
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "LOCK", "UNLOCK");

    /**
     * Removes the meters of the Redis client's pool. It always has one connection, and each reconnect would add a
     * series.
     */
    @Produces
    @Singleton
    MeterFilter withoutPool() {
        return MeterFilter.deny(
                id -> "redis".equals(id.getTag("clientType")) || "redis".equals(id.getTag("pool.type")));
    }

    /** Maps unknown HTTP methods to one label value. LOCK and UNLOCK are those of Terraform. */
    @Produces
    @Singleton
    MeterFilter knownMethods() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                String method = id.getTag("method");
                boolean known = method == null || METHODS.contains(method);
                return known ? id : id.replaceTags(withOther(id));
            }
        };
    }

    private static Iterable<Tag> withOther(Meter.Id id) {
        return id.getTags().stream()
                .map(tag -> tag.getKey().equals("method") ? Tag.of("method", "OTHER") : tag)
                .toList();
    }
}
