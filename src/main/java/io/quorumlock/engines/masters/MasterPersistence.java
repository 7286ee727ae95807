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

/**
 * The settings of a master for its append-only file.
 *
 * @param flaw why a restart may lose writes; empty if it loses none
 * @param rewrites at what size the master rewrites the file
 */
record MasterPersistence(Optional<String> flaw, String rewrites) {
    /** Matches {@code *append*} and {@code auto-aof-*}. CONFIG GET of Redis 6.2 takes one pattern. */
    private static final String SETTINGS = "*a[op][fp]*";

    /** The settings of a master that keeps every acknowledged write. */
    private static final Map<String, String> REQUIRED =
            new TreeMap<>(Map.of("appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no"));

    static Future<MasterPersistence> read(RedisConnection connection) {
        return connection
                .send(Request.cmd(Command.CONFIG).arg("GET").arg(SETTINGS))
                .map(MasterPersistence::of)
                .recover(MasterPersistence::unlessNotPermitted);
    }

    private static MasterPersistence of(Response settings) {
        String wrong = REQUIRED.entrySet().stream()
                .filter(setting -> !value(settings, setting.getKey()).equals(setting.getValue()))
                .map(setting -> setting.getKey() + " " + value(settings, setting.getKey()))
                .collect(Collectors.joining(", "));
        Optional<String> flaw = wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "has " + wrong + "; set appendonly yes, appendfsync always and no-appendfsync-on-rewrite no"
                                + " on all masters, or remove QUORUMLOCK_MASTERS_PERSIST");
        return new MasterPersistence(
                flaw,
                "auto-aof-rewrite-min-size " + value(settings, "auto-aof-rewrite-min-size")
                        + " auto-aof-rewrite-percentage " + value(settings, "auto-aof-rewrite-percentage"));
    }

    /** Passes on other errors, for example of a master that loads its data, so that the connection is retried. */
    private static Future<MasterPersistence> unlessNotPermitted(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (!message.contains("NOPERM") && !message.contains("unknown command")) {
            return Future.failedFuture(cause);
        }
        String words = message.replaceAll(", with args.*", "");
        return Future.succeededFuture(new MasterPersistence(
                Optional.of("does not show whether it persists every write (" + words
                        + "); permit CONFIG GET, or remove QUORUMLOCK_MASTERS_PERSIST"),
                ""));
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
