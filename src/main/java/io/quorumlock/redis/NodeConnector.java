package io.quorumlock.redis;

import io.vertx.core.Future;
import java.time.Duration;

/** The way to open a connection to one server. */
@FunctionalInterface
interface NodeConnector {

    /**
     * Opens a connection: socket, TLS, login, INFO and scripts.
     *
     * @param limit for all of these together; the future fails after it
     */
    Future<NodeConnection> connect(Duration limit);
}
