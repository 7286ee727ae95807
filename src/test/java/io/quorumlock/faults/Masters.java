// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Five masters that keep every write, each with a proxy. */
final class Masters implements Servers {
    /** The first of the masters that lose their disk when they are killed. */
    static final int FIRST_FORGETFUL = 4;

    /** The connections to one master. Each replica has one for commands and one for announcements. */
    private static final int CONNECTIONS = 2 * Setup.REPLICAS;

    private final SteppedClocks clocks;
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisProxy> proxies = new ArrayList<>();

    Masters(SteppedClocks clocks) {
        this.clocks = clocks;
        for (int master = 1; master <= Setup.MASTERS; master++) {
            RedisServer server = RedisServers.startProcess(clocks.wrapper(master), Persistence.options());
            servers.add(server);
            proxies.add(new RedisProxy(server.url()));
        }
    }

    RedisServer server(int number) {
        return servers.get(number - 1);
    }

    RedisProxy proxy(int number) {
        return proxies.get(number - 1);
    }

    SteppedClocks clocks() {
        return clocks;
    }

    @Override
    public Map<String, String> environment() {
        return Setup.environment(
                proxies.stream().map(proxy -> proxy.url().toString()).collect(Collectors.joining(",")));
    }

    @Override
    public List<String> addresses() {
        return proxies.stream().map(proxy -> proxy.url().getAuthority()).toList();
    }

    @Override
    public FaultPlan plan(long seed, Duration length) {
        return FaultPlan.of(seed, length, clocks.areAvailable());
    }

    @Override
    public FaultAction action(PlannedFault fault, NodesPoller watch) {
        return new MasterFault(fault, this, watch).action();
    }

    @Override
    public int idleConnections() {
        return 0;
    }

    @Override
    public Duration recovery() {
        return RECOVERY;
    }

    @Override
    public double grantsAMinute() {
        return 4_000;
    }

    @Override
    public List<Observation> leftovers() {
        List<Observation> left = new ArrayList<>();
        for (int master = 1; master <= Setup.MASTERS; master++) {
            RedisServer server = server(master);
            left.add(new Observation(Promise.N, "locks left on master-" + master, locks(server), 0));
            left.add(new Observation(Promise.N, "connections to master-" + master, connections(server), CONNECTIONS));
        }
        return left;
    }

    /** Counts only locks. Fencing counters live for a week. */
    static long locks(RedisServer server) {
        return Long.parseLong(server.cli("EVAL", "return #redis.call('KEYS', 'lock:*')", "0"));
    }

    private static long connections(RedisServer server) {
        return server.cli("CLIENT", "LIST", "TYPE", "normal")
                .lines()
                .filter(line -> line.contains("name=quorumlock"))
                .count();
    }

    @Override
    public void close() {
        proxies.forEach(RedisProxy::close);
        RedisServers.close(servers);
    }
}
