package io.quorumlock.bench;

import io.quorumlock.lock.LeaseToken;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Acquires with the same script through the same library's pooled client, as one would without an engine: a command is
 * sent by itself on a leased connection, all masters at once, and the third yes is the answer.
 */
final class PooledAcquire implements Part {
    private static final int MOST_WAITING = 1_000_000;
    private static final int QUORUM = 3;
    private static final int COUNTERS = 1 << 16;

    private final int clients;
    private final Vertx vertx = Vertx.vertx();
    private final SecureRandom random = new SecureRandom();
    private final List<Redis> masters = new ArrayList<>();
    private final List<Context> loops;
    private final String sha;

    /**
     * Is how the client is set up.
     *
     * @param pool the connections to each master
     * @param loops the event loops that the clients, and so the connections, are spread over
     */
    record Form(int pool, int loops) {
        @Override
        public String toString() {
            return "pool " + pool + (loops == 1 ? ", one event loop" : ", " + loops + " event loops");
        }
    }

    PooledAcquire(Setting setting, int clients, Form form) throws Exception {
        this.clients = clients;
        loops = IntStream.range(0, form.loops())
                .mapToObj(i -> vertx.getOrCreateContext())
                .toList();
        for (URI url : setting.masters().urls()) {
            masters.add(Redis.createClient(
                    vertx,
                    new RedisOptions()
                            .setConnectionString(url.toString())
                            .setMaxPoolSize(form.pool())
                            .setMaxPoolWaiting(MOST_WAITING)
                            .setMaxWaitingHandlers(MOST_WAITING)));
        }
        sha = loadScript();
    }

    private String loadScript() throws Exception {
        try (InputStream script = Redis.class.getResourceAsStream("/redis/acquire.lua")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            String loaded = null;
            for (Redis master : masters) {
                Request load = Request.cmd(Command.SCRIPT).arg("LOAD").arg(text);
                loaded = master.send(load)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(5, TimeUnit.SECONDS)
                        .toString();
            }
            return loaded;
        }
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        return ClosedLoop.run(clients, duration, client -> {
            Context loop = loops.get(client % loops.size());
            return () -> acquire(loop);
        });
    }

    private CompletableFuture<Boolean> acquire(Context loop) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        loop.runOnContext(turn -> {
            String name = Names.next();
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
                        .arg(value)
                        .arg(EngineAcquire.TTL.toMillis())
                        .arg(fence);
                master.send(request).onComplete(reply -> votes.count(reply.succeeded() && isYes(reply.result())));
            }
        });
        return answer;
    }

    private static boolean isYes(Response response) {
        return response.type() == ResponseType.NUMBER;
    }

    @Override
    public void close() {
        masters.forEach(Redis::close);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Counts on one event loop or another: a reply comes on the loop that its connection lives on. */
    private static final class Votes {
        private final CompletableFuture<Boolean> answer;
        private int yes;
        private int no;

        Votes(CompletableFuture<Boolean> answer) {
            this.answer = answer;
        }

        synchronized void count(boolean vote) {
            if (vote && ++yes == QUORUM) {
                answer.complete(true);
            } else if (!vote && ++no == QUORUM) {
                answer.complete(false);
            }
        }
    }
}
