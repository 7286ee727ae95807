// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.etcd.MemberAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checks of the settings of stores, part of those of all settings. */
record StoreCheck(ConfigCheck all) {
    private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9_-]+)+");

    /** Refuses the servers of another engine: either they or the engine are a mistake. */
    static void checkUnused(QuorumlockConfig config) {
        Map<EngineKind, Optional<?>> servers = Map.of(
                EngineKind.REDLOCK, ConfigCheck.nodes(config),
                EngineKind.ZOOKEEPER, config.zookeeper().servers(),
                EngineKind.ETCD, config.etcd().servers());
        Mistakes.refuse(Stream.of(EngineKind.values())
                .filter(other -> other != config.engine() && servers.get(other).isPresent())
                .map(other -> "%s: not used with QUORUMLOCK_ENGINE=%s; remove it, or write QUORUMLOCK_ENGINE=%s"
                        .formatted(
                                other == EngineKind.REDLOCK ? "QUORUMLOCK_NODES" : "QUORUMLOCK_" + other + "_SERVERS",
                                config.engine().name().toLowerCase(Locale.ROOT),
                                other.name().toLowerCase(Locale.ROOT)))
                .toList());
    }

    /** Checks that the servers of the engine are set. */
    static void checkServers(QuorumlockConfig config) {
        if (config.engine() == EngineKind.ZOOKEEPER
                && config.zookeeper().servers().isEmpty()
                && !config.embedded()) {
            throw new ConfigurationException(
                    "QUORUMLOCK_ZOOKEEPER_SERVERS: not set; write the servers of your ensemble,"
                            + " for example QUORUMLOCK_ZOOKEEPER_SERVERS=a:2181,b:2181,c:2181");
        }
        if (config.engine() == EngineKind.ETCD && config.etcd().servers().isEmpty()) {
            throw new ConfigurationException(
                    "QUORUMLOCK_ETCD_SERVERS: not set; write the members of your cluster, for example"
                            + " QUORUMLOCK_ETCD_SERVERS=http://a:2379,http://b:2379,http://c:2379."
                            + " To try the service on etcd, run docker compose -f docker-compose.etcd.yml up --build");
        }
    }

    void check(QuorumlockConfig config) {
        checkZooKeeper(config.zookeeper());
        checkEtcd(config.etcd());
    }

    private void checkZooKeeper(StoreConfig.ZooKeeper zookeeper) {
        all.atLeast("zookeeper.timeout", zookeeper.timeout(), Duration.ofMillis(1));
        all.atLeast("zookeeper.session-timeout", zookeeper.sessionTimeout(), Duration.ofSeconds(1));
        zookeeper
                .servers()
                .filter(servers -> !Stream.of(servers.split(",", -1)).allMatch(StoreCheck::isServer))
                .ifPresent(wrong -> all.refuse(
                        "zookeeper.servers",
                        wrong,
                        "not a list of servers; write host:2181,host:2181,host:2181, or [::1]:2181"));
        checkRoot("zookeeper.root", zookeeper.root());
        checkFile("zookeeper.ca-file", zookeeper.caFile());
        checkFile("zookeeper.key-file", zookeeper.keyFile());
        zookeeper
                .keyFile()
                .filter(file -> zookeeper.caFile().isEmpty())
                .ifPresent(file -> all.refuse("zookeeper.key-file", file, "needs QUORUMLOCK_ZOOKEEPER_CA_FILE"));
    }

    /** Returns whether the text is an address as in a URL of etcd. */
    private static boolean isServer(String text) {
        try {
            MemberAddress.of("http://" + text);
            return !text.endsWith("/");
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }

    private void checkEtcd(StoreConfig.Etcd etcd) {
        all.atLeast("etcd.timeout", etcd.timeout(), Duration.ofMillis(1));
        etcd.servers().stream().flatMap(List::stream).forEach(this::checkMember);
        checkRoot("etcd.root", etcd.root());
        etcd.certFile()
                .filter(file -> etcd.keyFile().isEmpty())
                .ifPresent(file -> all.refuse("etcd.cert-file", file, "needs QUORUMLOCK_ETCD_KEY_FILE"));
        checkFile("etcd.ca-file", etcd.caFile());
        checkFile("etcd.cert-file", etcd.certFile());
        checkFile("etcd.key-file", etcd.keyFile());
    }

    private void checkMember(String url) {
        try {
            MemberAddress.of(url);
        } catch (IllegalArgumentException wrong) {
            all.refuse("etcd.servers", url, wrong.getMessage());
        }
    }

    private void checkRoot(String key, String root) {
        if (!ROOT.matcher(root).matches()) {
            all.refuse(key, root, "not a path; write one such as /quorumlock");
        }
    }

    private void checkFile(String key, Optional<Path> path) {
        path.filter(Files::notExists)
                .ifPresent(file -> all.refuse(key, file, "no such file; write the path of a PEM file"));
    }
}
