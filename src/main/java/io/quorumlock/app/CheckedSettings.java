// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.LaunchMode;
import io.quorumlock.http.keys.KeyStore;
import io.quorumlock.settings.BindAddressCheck;
import io.quorumlock.settings.EngineKind;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.TtlBounds;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** The settings after all checks. What contacts servers is created from this bean, so that the checks come first. */
@Singleton
final class CheckedSettings {
    private static final String KEYS =
            "{\"keys\":[{\"id\":\"me\",\"sha256\":\"SHA-256 of the key\",\"rules\":[{\"prefix\":\"\",\"verbs\":[\"acquire\",\"extend\",\"release\"]}]}]}";

    final QuorumlockConfig config;
    final EngineWiring wiring;
    /** Empty if authentication is off. */
    final Optional<KeyStore> keys;

    CheckedSettings(QuorumlockConfig config, ClientCertificates certificates) {
        this.config = config;
        this.wiring = wiring(config);
        Config all = ConfigProvider.getConfig();
        Mistakes mistakes = new Mistakes();
        check(config, all, System.getenv().keySet(), mistakes);
        certificates.mistake().ifPresent(mistakes::add);
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            PortCheck.check(all, mistakes);
        }
        this.keys = config.security().keysFile().map(KeyStore::open).flatMap(opening -> {
            if (opening instanceof KeyStore.Refused refused) {
                mistakes.add("QUORUMLOCK_SECURITY_KEYS_FILE=" + refused.why() + "; such a file: " + KEYS);
            }
            return opening instanceof KeyStore.Opened opened ? Optional.of(opened.store()) : Optional.empty();
        });
        mistakes.throwIfAny();
    }

    /**
     * Checks the settings of this service, without network and ports.
     *
     * @param environment names of all environment variables
     */
    static void check(QuorumlockConfig config, Config all, Collection<String> environment, Mistakes mistakes) {
        EngineWiring wiring = wiring(config);
        Features.NAMES.unknown(environment).forEach(mistakes::add);
        Features.NAMES.checkEngine(EngineKind.of(config), all, mistakes);
        Features.NAMES.checkEmpty(EngineKind.of(config), all, mistakes);
        Features.check(all, config, mistakes);
        TtlBounds.check(config, mistakes);
        wiring.check(mistakes);
        BindAddressCheck.check(config.security(), wiring.isTrial(), all, mistakes);
    }

    private static EngineWiring wiring(QuorumlockConfig config) {
        return switch (EngineKind.of(config)) {
            case REDLOCK -> new RedlockWiring(config);
            case ZOOKEEPER -> new ZooKeeperWiring(config);
            case ETCD -> new EtcdWiring(config);
        };
    }

    /** Returns a warning if temporary servers are requested and not used. */
    Optional<String> unusedTrial() {
        return config.embedded() && !wiring.isTrial()
                ? Optional.of(
                        "QUORUMLOCK_EMBEDDED=true is ignored, because servers or a folder are set: remove one of the settings")
                : Optional.empty();
    }
}
