// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/** A replica of the packaged service on five masters of its own, all as processes. */
public record LocalService(List<RedisServer> masters, ServiceProcess replica) implements AutoCloseable {

    /** On a busy machine, masters that are up need longer than by default. */
    private static final List<String> PATIENT =
            List.of("-Dquorumlock.node.timeout=250ms", "-Dquorumlock.ttl.min=500ms");

    /** Starts the processes and returns when the replica is ready. */
    public static LocalService start(String... arguments) {
        List<RedisServer> masters = RedisServers.start(5);
        try {
            String[] all = Stream.concat(PATIENT.stream(), Stream.of(arguments)).toArray(String[]::new);
            return new LocalService(masters, ServiceProcess.on(masters, all));
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
