package io.quorumlock.redis;

import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;

/** Is an open connection to a server that introduced itself and knows our scripts. */
record Line(Redis client, RedisConnection connection, ServerFacts facts) {

    /** Closes the socket; closing the connection would only give it back to its pool. */
    void hangUp() {
        client.close();
    }
}
