// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** An engine that can be chosen. */
public enum EngineKind {
    /** Majorities of independent Redis masters. */
    REDLOCK("node", "nodes", "masters-persist", "restart-guard", "lock-prefix", "fence-prefix"),
    /** A ZooKeeper ensemble, or one ZooKeeper server in this process. */
    ZOOKEEPER("zookeeper", "cluster"),
    /** An etcd cluster. */
    ETCD("etcd");

    private final List<String> groups;

    /** @param groups the beginnings of the keys that have an effect with this engine only; the first has the timeout of its calls */
    EngineKind(String... groups) {
        this.groups = List.of(groups);
    }

    /** Returns the engine of a service. */
    public static EngineKind of(QuorumlockConfig config) {
        return config.engine().orElse(config.cluster().data().isPresent() ? ZOOKEEPER : REDLOCK);
    }

    /**
     * Returns the other engine that alone has a setting; empty if this one has it.
     *
     * @param key without the prefix of all settings
     */
    Optional<EngineKind> otherWith(String key) {
        String group = key.split("\\.")[0];
        return Stream.of(values())
                .filter(kind -> kind != this && kind.groups.contains(group))
                .findFirst();
    }

    /** Returns the key of the timeout of a call to one server. */
    String timeoutKey() {
        return "quorumlock." + groups.get(0) + ".timeout";
    }

    /** Returns the value of the setting. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
