package io.quorumlock.metrics;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Leaves out the meters of the Redis client's pool: it always holds one connection, and each reconnect makes a new one. */
@Singleton
final class ClientMeterFilter {

    @Produces
    @Singleton
    MeterFilter withoutPool() {
        return MeterFilter.deny(id -> "redis".equals(id.getTag("clientType")));
    }
}
