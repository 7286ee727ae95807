// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The check of a master's settings for its append-only file. */
final class MasterPersistence {
    /** CONFIG GET of Redis 6.2 takes one pattern. */
    private static final String SETTINGS = "*append*";

    /** The settings of a master that keeps every acknowledged write. */
    private static final Map<String, String> REQUIRED =
            new TreeMap<>(Map.of("appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no"));

    private MasterPersistence() {}

    /** Returns why a restart of the master may lose writes; empty if it loses none. */
    static Future<Optional<String>> flaw(RedisConnection connection) {
        return connection
                .send(Request.cmd(Command.CONFIG).arg("GET").arg(SETTINGS))
                .map(MasterPersistence::flaw)
                .recover(MasterPersistence::unlessNotPermitted);
    }

    private static Optional<String> flaw(Response settings) {
        String wrong = REQUIRED.entrySet().stream()
                .filter(setting -> !value(settings, setting.getKey()).equals(setting.getValue()))
                .map(setting -> setting.getKey() + " " + value(settings, setting.getKey()))
                .collect(Collectors.joining(", "));
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "has " + wrong + "; set appendonly yes, appendfsync always and no-appendfsync-on-rewrite no"
                                + " on all masters, or remove QUORUMLOCK_MASTERS_PERSIST");
    }

    /** Passes on other errors, for example of a master that loads its data, so that the connection is retried. */
    private static Future<Optional<String>> unlessNotPermitted(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (!message.contains("NOPERM") && !message.contains("unknown command")) {
            return Future.failedFuture(cause);
        }
        String words = message.replaceAll(", with args.*", "");
        return Future.succeededFuture(Optional.of("does not show whether it persists every write (" + words
                + "); permit CONFIG GET, or remove QUORUMLOCK_MASTERS_PERSIST"));
    }

    /** Returns a value of a RESP3 map, or of a RESP2 list of names and values. */
    private static String value(Response settings, String name) {
        if (settings.getKeys().contains(name)) {
            return settings.get(name).toString();
        }
        for (int i = 0; i + 1 < settings.size(); i += 2) {
            if (settings.get(i).toString().equals(name)) {
                return settings.get(i + 1).toString();
            }
        }
        return "";
    }
}
