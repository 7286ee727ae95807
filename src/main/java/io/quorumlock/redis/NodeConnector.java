package io.quorumlock.redis;

import io.vertx.core.Future;
import java.time.Duration;

/** A factory of connections to one server. */
@FunctionalInterface
interface NodeConnector {

    /**
     * Opens a connection: socket, TLS, login, INFO and scripts.
     *
     * @param limit timeout for all steps together
     */
    Future<NodeConnection> connect(Duration limit);
}
