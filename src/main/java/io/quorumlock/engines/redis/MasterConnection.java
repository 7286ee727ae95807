// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An open connection to a server, with its INFO and loaded scripts.
 *
 * @param closer closes the socket; closing {@code connection} would only return it to its pool
 */
public record MasterConnection(RedisConnection connection, ServerFacts facts, Runnable closer) {

    /** Closes the socket. */
    public void close() {
        closer.run();
    }

    /** Loads the scripts into the server, for example again after SCRIPT FLUSH. */
    public Future<List<Response>> loadScripts() {
        return loadScripts(connection);
    }

    static Future<List<Response>> loadScripts(RedisConnection connection) {
        return connection.batch(Arrays.stream(LuaScript.values())
                .map(script -> Request.cmd(Command.SCRIPT).arg("LOAD").arg(script.source()))
                .toList());
    }

    /** A factory of connections to one server. */
    @FunctionalInterface
    public interface MasterConnector {

        /**
         * Opens a connection: socket, TLS, login, INFO and scripts.
         *
         * @param limit timeout for all steps together
         */
        Future<MasterConnection> connect(Duration limit);
    }

    /** The properties of a server according to INFO. */
    public record ServerFacts(String runId, String role, String mode, String version, String evictionPolicy) {

        static ServerFacts parse(String info) {
            Map<String, String> facts = info.lines()
                    .filter(line -> line.contains(":") && !line.startsWith("#"))
                    .map(line -> line.split(":", 2))
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].strip(), (first, second) -> first));
            return new ServerFacts(
                    facts.getOrDefault("run_id", ""),
                    facts.getOrDefault("role", ""),
                    facts.getOrDefault("redis_mode", facts.getOrDefault("server_mode", "standalone")),
                    facts.getOrDefault("redis_version", "0"),
                    facts.getOrDefault("maxmemory_policy", "noeviction"));
        }

        /** Returns why this server cannot be an independent master; empty if it can (R2). */
        public Optional<String> misfit() {
            if (runId.isEmpty()) {
                return Optional.of("does not report its run_id; use Redis or Valkey");
            }
            if (mode.equals("sentinel")) {
                return Optional.of("is a Sentinel; write the addresses of independent masters");
            }
            if (!role.equals("master")) {
                return Optional.of("is not a master but a " + role + "; use independent masters");
            }
            if (!mode.equals("standalone")) {
                return Optional.of("runs in " + mode + " mode; use independent masters");
            }
            if (isOlderThan62()) {
                return Optional.of("is Redis " + version + "; use Redis 6.2 or later");
            }
            return Optional.empty();
        }

        /** Returns whether Redis may evict locks when memory is short. */
        public boolean evicts() {
            return !evictionPolicy.equals("noeviction");
        }

        private boolean isOlderThan62() {
            String[] parts = version.split("\\.");
            int major = Integer.parseInt(parts[0]);
            int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            return major < 6 || major == 6 && minor < 2;
        }
    }
}
