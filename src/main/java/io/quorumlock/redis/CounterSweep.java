package io.quorumlock.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * Drops the fencing counters of a node that lost its latest writes, while it is in quarantine (R10): one that came back old would
 * count on from a number that was long surpassed; one that is gone starts from the time of day.
 */
final class CounterSweep {
    /** Keys looked at in one step: many enough to be done in seconds, few enough for Redis to serve others in between. */
    private static final int STEP = 1_000;

    private final RedisConnection connection;
    private final String pattern;

    CounterSweep(RedisConnection connection, String fencePrefix) {
        this.connection = connection;
        this.pattern = fencePrefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0") + "*";
    }

    /** Drops all counters; fails if the connection does. */
    Future<Void> run() {
        return from("0");
    }

    private Future<Void> from(String cursor) {
        return connection
                .send(Request.cmd(Command.SCAN)
                        .arg(cursor)
                        .arg("MATCH")
                        .arg(pattern)
                        .arg("COUNT")
                        .arg(STEP))
                .compose(page -> drop(page.get(1)).compose(dropped -> {
                    String next = page.get(0).toString();
                    return next.equals("0") ? Future.succeededFuture() : from(next);
                }));
    }

    private Future<Response> drop(Response keys) {
        if (keys.size() == 0) {
            return Future.succeededFuture();
        }
        Request unlink = Request.cmd(Command.UNLINK);
        keys.forEach(key -> unlink.arg(key.toBuffer()));
        return connection.send(unlink);
    }
}
