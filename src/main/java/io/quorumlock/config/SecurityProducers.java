package io.quorumlock.config;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.rest.PublicPaths;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.KeyStore;
import io.quorumlock.security.KeysState;
import io.quorumlock.time.EngineContext;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Builds the guard: one file of keys is the switch. */
@Singleton
final class SecurityProducers {
    private final QuorumlockConfig.Security config;

    SecurityProducers(QuorumlockConfig config) {
        this.config = config.security();
    }

    /** Holds the keys, if any are asked for. */
    record Keys(Optional<KeyStore> store) {}

    @Produces
    @Singleton
    Keys keys() {
        return new Keys(config.keysFile().map(SecurityProducers::open));
    }

    private static KeyStore open(Path file) {
        KeyStore.Opening opening = KeyStore.open(file);
        if (opening instanceof KeyStore.Opened opened) {
            return opened.store();
        }
        throw new ConfigurationException("quorumlock.security.keys-file: " + ((KeyStore.Refused) opening).why());
    }

    @Produces
    @Singleton
    Authenticator guard(Keys keys, EngineContext engineContext) {
        return keys.store()
                .map(store -> Authenticator.of(store, engineContext.clock()))
                .orElseGet(() -> Authenticator.off(engineContext.clock()));
    }

    @Produces
    @Singleton
    KeysState keysState(Keys keys) {
        return keys.store().<KeysState>map(store -> store).orElseGet(KeysState::none);
    }

    @Produces
    @Singleton
    PublicPaths openPaths() {
        return new PublicPaths(!config.metricsNeedKey());
    }

    /** Looks on a thread that may wait for a disk. */
    void watch(@Observes StartupEvent event, Keys keys, Vertx vertx) {
        keys.store()
                .ifPresent(store -> vertx.setPeriodic(config.reloadPeriod().toMillis(), turn -> {
                    Callable<Void> look = () -> {
                        store.look();
                        return null;
                    };
                    vertx.executeBlocking(look);
                }));
    }
}
