package io.quorumlock.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Starts real Redis servers: in containers where a Docker engine answers, else as processes, of the machine's own
 * redis-server or of the carried one. The system property {@code test.redis} forces docker, binary or
 * embedded.
 */
public final class RedisServers {
    private RedisServers() {}

    /** Starts {@code count} independent servers with the options given to each, as on redis-server's command line. */
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
     * @param wrapper puts another executable around redis-server's
     */
    public static RedisServer startProcess(UnaryOperator<Path> wrapper, String... redisOptions) {
        return ProcessServer.started(wrapper.apply(RedisKind.executable()), redisOptions);
    }

    /** Ends all servers; the order does not matter. */
    public static void close(List<RedisServer> servers) {
        servers.forEach(RedisServer::close);
    }

    private static CompletableFuture<RedisServer> starting(RedisKind kind, String... options) {
        // A thread each: the common pool has only one on a small machine.
        return CompletableFuture.supplyAsync(() -> kind.start(options), work -> new Thread(work).start());
    }
}
