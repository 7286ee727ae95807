// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.StartupEvent;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.http.BrowserGuard;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.http.keys.KeyStore;
import io.quorumlock.settings.QuorumlockConfig;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The composition root of authentication, which is on if a keys file is configured. */
@Singleton
final class SecurityProducers {
    private final QuorumlockConfig.Security config;
    private final Optional<KeyStore> store;

    @Produces
    @Singleton
    final Authenticator authenticator;

    SecurityProducers(CheckedSettings settings) {
        this.config = settings.config.security();
        this.store = settings.keys;
        MonotonicClock clock = EventLoop.clock();
        this.authenticator = store.map(keys -> Authenticator.of(keys, clock)).orElseGet(() -> Authenticator.off(clock));
    }

    @Produces
    @Singleton
    BrowserGuard browserGuard(
            @ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean corsEnabled) {
        Set<String> hosts = config.hosts().orElse(Set.of()).stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return new BrowserGuard(corsEnabled, authenticator.isOff() && !config.clientCertificateRequired(), hosts);
    }

    @Produces
    @Singleton
    static Clock wallClock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    static MonotonicClock clock() {
        return EventLoop.clock();
    }

    /** Checks the keys file regularly, on a worker thread, because reading may block. */
    void watch(@Observes StartupEvent event, Vertx vertx) {
        store.ifPresent(keys -> vertx.setPeriodic(config.reloadPeriod().toMillis(), timer -> {
            Callable<Void> look = () -> {
                keys.look();
                return null;
            };
            vertx.executeBlocking(look);
        }));
    }
}
