// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Five masters with different persistence, each with a proxy. */
final class Masters implements AutoCloseable {
    /** The numbers of the masters that can lose data in a crash. The others persist every write. */
    static final int EVERY_SECOND = 4;

    static final int NONE = 5;

    private final SteppedClocks clocks;
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisProxy> proxies = new ArrayList<>();

    Masters(SteppedClocks clocks) {
        this.clocks = clocks;
        for (int master = 1; master <= Setup.MASTERS; master++) {
            RedisServer server = RedisServers.startProcess(
                    clocks.wrapper(master), persistence(master).options());
            servers.add(server);
            proxies.add(new RedisProxy(server.url()));
        }
    }

    private static Persistence persistence(int master) {
        return switch (master) {
            case EVERY_SECOND -> Persistence.EVERY_SECOND;
            case NONE -> Persistence.NONE;
            default -> Persistence.ALWAYS;
        };
    }

    RedisServer server(int number) {
        return servers.get(number - 1);
    }

    RedisProxy proxy(int number) {
        return proxies.get(number - 1);
    }

    List<RedisServer> all() {
        return servers;
    }

    SteppedClocks clocks() {
        return clocks;
    }

    /** Returns the URLs of the proxies, as the masters of the service. */
    String nodes() {
        return proxies.stream().map(proxy -> proxy.url().toString()).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        proxies.forEach(RedisProxy::close);
        RedisServers.close(servers);
    }
}
