// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.embedded.EmbeddedMasters;
import io.quorumlock.engines.masters.RedisFleet;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.redis.KeyPrefixes;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.RedisAnnouncements;
import io.quorumlock.engines.redis.RedisReleaseSignal;
import io.quorumlock.engines.redis.Subscriptions;
import io.quorumlock.engines.redlock.Redlock;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.TtlBounds;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Redlock algorithm on independent Redis masters. */
record RedlockWiring(QuorumlockConfig config) implements EngineWiring {
    private static final int EMBEDDED_MASTERS = 5;
    private static final Duration QUARANTINE_MARGIN = Duration.ofSeconds(1);
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    @Override
    public boolean isTrial() {
        return config.embedded() && urls().isEmpty();
    }

    private List<String> urls() {
        return config.nodes().orElse(List.of());
    }

    @Override
    public void check(Mistakes mistakes) {
        checkCertificates(mistakes);
        if (config.fencePrefix().equals(config.lockPrefix().orElse(""))) {
            mistakes.refuse(
                    "fence-prefix", config.fencePrefix(), "equal to QUORUMLOCK_LOCK_PREFIX; write another prefix");
        }
        if (!urls().isEmpty()) {
            checkMasters(urls(), mistakes);
        } else if (!config.embedded()) {
            mistakes.add(
                    "QUORUMLOCK_NODES: not set; write your Redis masters, for example"
                            + " QUORUMLOCK_NODES=redis://a:6379,redis://b:6379,redis://c:6379,redis://d:6379,redis://e:6379."
                            + " To try the service without masters, write QUORUMLOCK_EMBEDDED=true: it starts five temporary ones");
        }
    }

    private void checkCertificates(Mistakes mistakes) {
        mistakes.checkFile("node.ca-file", config.node().caFile());
        config.node().caFile().filter(Files::exists).ifPresent(file -> {
            if (!hasCertificate(file)) {
                mistakes.refuse("node.ca-file", file, "not a PEM file with certificates; write the path of one");
            } else if (urls().stream().noneMatch(url -> url.contains("rediss://"))) {
                mistakes.refuse("node.ca-file", file, "no master uses TLS; write rediss:// in QUORUMLOCK_NODES");
            }
        });
    }

    private static boolean hasCertificate(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(CERTIFICATE);
        } catch (IOException e) {
            return false;
        }
    }

    private static MasterAddress address(String url) {
        return new MasterAddress(url.strip());
    }

    /** Refuses wrong addresses, an even number and duplicates (R2). No message contains a password. */
    static void checkMasters(List<String> urls, Mistakes mistakes) {
        Map<String, Integer> seen = new HashMap<>();
        for (int entry = 1; entry <= urls.size(); entry++) {
            try {
                MasterAddress address = address(urls.get(entry - 1));
                Integer first = seen.putIfAbsent(address.hostAndPort(), entry);
                if (first != null) {
                    mistakes.add(
                            "QUORUMLOCK_NODES: entry %d is the same server as entry %d (%s); write each master once"
                                    .formatted(entry, first, address));
                }
            } catch (IllegalArgumentException e) {
                mistakes.add("QUORUMLOCK_NODES: entry %d %s".formatted(entry, e.getMessage()));
            }
        }
        if (seen.size() == urls.size() && urls.size() % 2 == 0) {
            mistakes.add(("QUORUMLOCK_NODES: has %d masters; write an odd number, normally 5: an even number tolerates"
                            + " no more failures than one master less")
                    .formatted(urls.size()));
        }
    }

    @Override
    public Backend create(EngineParts parts) {
        Optional<EmbeddedMasters> embedded = isTrial() ? Optional.of(startMasters()) : Optional.empty();
        List<MasterAddress> nodes = embedded.map(
                        masters -> masters.urls().stream().map(URI::toString))
                .orElseGet(() -> urls().stream())
                .map(RedlockWiring::address)
                .toList();
        Duration timeout = config.node().timeout();
        // A handshake takes up to five round trips, and a command one, within the timeout.
        Duration connectTimeout = Collections.max(List.of(config.node().connectTimeout(), timeout.multipliedBy(3)));
        LinkSettings links =
                new LinkSettings(timeout, connectTimeout, config.node().caFile());
        KeyPrefixes prefixes = new KeyPrefixes(config.lockPrefix().orElse(""), config.fencePrefix());
        RestartGuard guard = restartGuard(parts);
        RedisFleet fleet = new RedisFleet(
                nodes,
                new RedisFleet.Settings(
                        links, prefixes, config.extensions().max().orElse(RedisFleet.NO_LIMIT), guard),
                parts.vertx(),
                parts.context(),
                parts.serverListener());
        Subscriptions subscriptions = new Subscriptions(nodes, links, parts.vertx(), parts.context());
        EngineSettings settings = new EngineSettings(
                parts.drift(),
                config.extensions().max(),
                TtlBounds.longest(config),
                config.node().timeout());
        Redlock redlock = new Redlock(fleet.lockMasters(), settings, parts.context(), parts.lockListener());
        return new Backend(
                redlock,
                redlock,
                new RedisReleaseSignal(prefixes, subscriptions),
                new RedisAnnouncements(prefixes, subscriptions, fleet.quorum()),
                fleet,
                List.of(),
                new MasterConnections(fleet, subscriptions, guard, TtlBounds.longest(config), embedded));
    }

    private static EmbeddedMasters startMasters() {
        try {
            return EmbeddedMasters.start(EMBEDDED_MASTERS);
        } catch (IllegalStateException e) {
            throw new ConfigurationException("QUORUMLOCK_EMBEDDED=true: " + e.getMessage(), e);
        }
    }

    /** The quarantine must be longer than every earlier lease, on any clock. Embedded masters never restart. */
    private RestartGuard restartGuard(EngineParts parts) {
        Duration longest = TtlBounds.longest(config);
        return new RestartGuard(
                config.restartGuard().enabled() && !isTrial(),
                config.mastersPersist(),
                longest.plus(parts.drift().of(longest)).plus(QUARANTINE_MARGIN),
                parts.readOnly());
    }
}
