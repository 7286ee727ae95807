// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.net.URI;
import java.util.List;

/** A replica of the packaged service on five masters of its own, all as processes. */
public record LocalService(List<RedisServer> masters, ServiceProcess replica) implements AutoCloseable {

    /** Starts the processes and returns when the replica is ready. */
    public static LocalService start(String... arguments) {
        List<RedisServer> masters = RedisServers.start(5);
        try {
            return new LocalService(masters, ServiceProcess.on(masters, arguments));
        } catch (RuntimeException | Error failed) {
            RedisServers.close(masters);
            throw failed;
        }
    }

    public LockClient client() {
        return replica.client();
    }

    public URI uri() {
        return replica.uri();
    }

    public String output() {
        return replica.output();
    }

    @Override
    public void close() {
        replica.close();
        RedisServers.close(masters);
    }
}
