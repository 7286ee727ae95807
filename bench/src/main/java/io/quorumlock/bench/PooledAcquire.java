// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.core.lock.LeaseToken;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A workload of acquires with the same script through the pooled client of the same library, without the engine. Each
 * command is sent separately on a pooled connection, to all masters at once, and the third vote decides.
 */
final class PooledAcquire implements Workload {
    private static final int MAX_WAITING = 1_000_000;
    private static final int QUORUM = 3;
    private static final int COUNTERS = 1 << 16;

    private static final List<Pool> POOLS =
            List.of(new Pool(1, 1), new Pool(6, 1), new Pool(8, 1), new Pool(1, 2), new Pool(6, 2), new Pool(8, 2));

    private final int clients;
    private final Vertx vertx = Vertx.vertx();
    private final SecureRandom random = new SecureRandom();
    private final List<Redis> masters = new ArrayList<>();
    private final List<Context> loops;
    private final String sha;

    /**
     * The size of the pool.
     *
     * @param connections to each master
     * @param loops event loops over which the clients, and so the connections, are distributed
     */
    private record Pool(int connections, int loops) {
        @Override
        public String toString() {
            return "pool " + connections + (loops == 1 ? ", one event loop" : ", " + loops + " event loops");
        }
    }

    /** One connection to each master: a single client cannot use more. */
    static Workload singleClient(Environment environment) throws Exception {
        return new PooledAcquire(environment, 1, new Pool(1, 1));
    }

    /** The defaults of the library: six connections to each master, all on one event loop. */
    static Workload withDefaults(Environment environment, int clients) throws Exception {
        return new PooledAcquire(environment, clients, new Pool(6, 1));
    }

    /** Tries several pools and uses the fastest one. */
    static Workload fastest(Environment environment, int clients, Duration trial) throws Exception {
        Pool fastest = null;
        double most = 0;
        for (Pool pool : POOLS) {
            try (PooledAcquire candidate = new PooledAcquire(environment, clients, pool)) {
                candidate.run(trial); // warm-up
                environment.masters().empty();
                double perSecond = candidate.run(trial).checked().perSecond();
                environment.masters().empty();
                Benchmark.log("  %s: %,.0f/s", pool, perSecond);
                if (perSecond > most) {
                    fastest = pool;
                    most = perSecond;
                }
            }
        }
        Benchmark.log("  fastest: %s", fastest);
        return new PooledAcquire(environment, clients, fastest);
    }

    private PooledAcquire(Environment environment, int clients, Pool pool) throws Exception {
        this.clients = clients;
        loops = IntStream.range(0, pool.loops())
                .mapToObj(i -> vertx.getOrCreateContext())
                .toList();
        for (URI url : environment.masters().urls()) {
            masters.add(Redis.createClient(
                    vertx,
                    new RedisOptions()
                            .setConnectionString(url.toString())
                            .setMaxPoolSize(pool.connections())
                            .setMaxPoolWaiting(MAX_WAITING)
                            .setMaxWaitingHandlers(MAX_WAITING)));
        }
        sha = loadScript();
    }

    private String loadScript() throws Exception {
        String loaded = null;
        for (Redis master : masters) {
            Request load = Request.cmd(Command.SCRIPT).arg("LOAD").arg(BatchScript.source());
            loaded = master.send(load)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(5, TimeUnit.SECONDS)
                    .toString();
        }
        return loaded;
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        return AsyncLoop.run(clients, duration, client -> {
            Context loop = loops.get(client % loops.size());
            return () -> acquire(loop);
        });
    }

    private CompletableFuture<Boolean> acquire(Context loop) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        loop.runOnContext(turn -> {
            String name = Workload.newResource();
            String token = LeaseToken.mint(random).text();
            long fence = System.currentTimeMillis() * 1024;
            String value = token + " attempt 0 " + fence + " " + EngineAcquire.TTL.toMillis() + " ";
            String counter = "fence:" + Math.floorMod(name.hashCode(), COUNTERS) + "/";
            Votes votes = new Votes(answer);
            for (Redis master : masters) {
                Request request = Request.cmd(Command.EVALSHA)
                        .arg(sha)
                        .arg(2)
                        .arg("lock:" + name)
                        .arg(counter)
                        .arg("acquire-one")
                        .arg(value)
                        .arg(EngineAcquire.TTL.toMillis())
                        .arg(fence)
                        .arg(0);
                master.send(request).onComplete(reply -> votes.count(reply.succeeded() && isGrant(reply.result())));
            }
        });
        return answer;
    }

    private static boolean isGrant(Response response) {
        return response.type() == ResponseType.NUMBER;
    }

    @Override
    public void close() {
        masters.forEach(Redis::close);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** The count of replies, which arrive on the event loops of their connections. */
    private static final class Votes {
        private final CompletableFuture<Boolean> answer;
        private int granted;
        private int refused;

        Votes(CompletableFuture<Boolean> answer) {
            this.answer = answer;
        }

        synchronized void count(boolean grant) {
            if (grant && ++granted == QUORUM) {
                answer.complete(true);
            } else if (!grant && ++refused == QUORUM) {
                answer.complete(false);
            }
        }
    }
}
