package io.quorumlock.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Arrays;
import java.util.List;

/**
 * An open connection to a server, with its INFO and loaded scripts.
 *
 * @param closer closes the socket; closing {@code connection} would only return it to its pool
 */
record NodeConnection(RedisConnection connection, ServerFacts facts, Runnable closer) {

    /** Closes the socket. */
    void close() {
        closer.run();
    }

    /** Loads the scripts into the server, for example again after SCRIPT FLUSH. */
    Future<List<Response>> loadScripts() {
        return loadScripts(connection);
    }

    static Future<List<Response>> loadScripts(RedisConnection connection) {
        return connection.batch(Arrays.stream(LuaScript.values())
                .map(script -> Request.cmd(Command.SCRIPT).arg("LOAD").arg(script.source()))
                .toList());
    }
}
