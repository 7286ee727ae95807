// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Real Redis servers: processes of the bundled binary, so that tests see the same version on every machine. Without one
 * for this system, those of the installed redis-server, or else containers. The system property {@code test.redis} selects
 * embedded, binary or docker, and {@code test.redis.binary} an executable of another version or product, for example of
 * Valkey.
 */
public final class RedisServers {
    private RedisServers() {}

    /** Starts {@code count} independent servers with the same command-line options of redis-server. */
    public static List<RedisServer> start(int count, String... redisOptions) {
        RedisKind kind = RedisKind.chosen();
        List<CompletableFuture<RedisServer>> starting =
                Stream.generate(() -> starting(kind, redisOptions)).limit(count).toList();
        List<RedisServer> started = new ArrayList<>();
        List<CompletionException> failures = new ArrayList<>();
        for (CompletableFuture<RedisServer> server : starting) {
            try {
                started.add(server.join());
            } catch (CompletionException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            started.forEach(RedisServer::close);
            throw failures.get(0);
        }
        return List.copyOf(started);
    }

    /**
     * Starts one server that is a process of this machine, never a container.
     *
     * @param wrapper returns the executable to start, given that of redis-server
     */
    public static RedisServer startProcess(UnaryOperator<Path> wrapper, String... redisOptions) {
        return ProcessServer.started(wrapper.apply(RedisKind.executable()), redisOptions);
    }

    /** Stops all servers. */
    public static void close(List<RedisServer> servers) {
        servers.forEach(RedisServer::close);
    }

    private static CompletableFuture<RedisServer> starting(RedisKind kind, String... options) {
        return Background.supply(() -> kind.start(options));
    }
}
