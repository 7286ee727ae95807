// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three packaged services that are the members of one cluster. */
final class OwnCluster implements AutoCloseable {
    static final int SIZE = 3;
    /** The start of three processes, and an election, on a busy machine. */
    static final Duration LONG = Duration.ofSeconds(90);

    private final Path folder;
    private final List<Integer> ports = FreePorts.find(4 * SIZE);
    private final List<ServiceProcess> processes = new ArrayList<>(Collections.nCopies(SIZE, null));
    private final Map<String, String> more;
    /** The proxies from each member to each port of the others, by both members. */
    private final Map<String, List<Forwarder>> proxies = new HashMap<>();

    /** @param more settings of all members */
    OwnCluster(Path folder, Map<String, String> more) {
        this.folder = folder;
        this.more = more;
    }

    /** Founds the cluster, and waits until all members are ready. */
    static OwnCluster found(Path folder) {
        return found(folder, Map.of());
    }

    /** @param more settings of all members */
    static OwnCluster found(Path folder, Map<String, String> more) {
        OwnCluster cluster = new OwnCluster(folder, more);
        cluster.found();
        return cluster;
    }

    /** Starts all members with the setting that founds a cluster, and waits until they are ready. */
    void found() {
        String now = Long.toString(Instant.now().getEpochSecond());
        all().forEach(member -> start(member, Map.of("QUORUMLOCK_CLUSTER_FOUNDED", now)));
        all().forEach(this::awaitReady);
    }

    static IntStream all() {
        return IntStream.range(0, SIZE);
    }

    Path folder(int member) {
        return folder.resolve("member-" + (member + 1));
    }

    private String name(int member) {
        return "localhost:" + clientPort(member);
    }

    /** Lets members reach each other through proxies from now on, so that one can be cut off. */
    void useProxies(RealLoop loop) {
        all().forEach(from -> all().filter(to -> to != from)
                .forEach(to -> proxies.put(
                        from + " " + to,
                        IntStream.range(0, 3)
                                .mapToObj(port -> new Forwarder(
                                        loop.vertx, URI.create("tcp://localhost:" + ports.get(4 * to + port))))
                                .toList())));
    }

    /** Breaks all connections of a member with the others, or lets it connect again. */
    void cut(int member, boolean off) {
        proxies.forEach((between, ways) -> {
            if (between.contains(Integer.toString(member))) {
                ways.forEach(proxy -> proxy.refuse(off));
                ways.forEach(Forwarder::disconnect);
            }
        });
    }

    /** Returns the entry of a member in the list of another one. */
    private String entry(int from, int to) {
        List<Integer> reached = proxies.containsKey(from + " " + to)
                ? proxies.get(from + " " + to).stream().map(Forwarder::port).toList()
                : ports.subList(4 * to, 4 * to + 3);
        return "localhost:" + reached.stream().map(String::valueOf).collect(Collectors.joining(":"));
    }

    int clientPort(int member) {
        return ports.get(4 * member);
    }

    Map<String, String> environment(int member) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("QUORUMLOCK_ZOOKEEPER_TIMEOUT", "5s"); // for a busy machine
        environment.put("QUORUMLOCK_CLUSTER_DATA", folder(member).toString());
        environment.put("QUORUMLOCK_CLUSTER_SELF", name(member));
        environment.put(
                "QUORUMLOCK_CLUSTER_MEMBERS",
                all().mapToObj(other -> entry(member, other)).collect(Collectors.joining(",")));
        return environment;
    }

    ServiceProcess start(int member) {
        return start(member, Map.of());
    }

    ServiceProcess start(int member, Map<String, String> also) {
        Map<String, String> environment = environment(member);
        environment.putAll(also);
        ServiceProcess process = ServiceProcess.startOn(ports.get(4 * member + 3), environment);
        processes.set(member, process);
        return process;
    }

    ServiceProcess process(int member) {
        return processes.get(member);
    }

    LockClient client(int member) {
        return process(member).client();
    }

    void awaitReady(int member) {
        Eventually.within(
                LONG, () -> process(member).output(), () -> client(member).isReady());
    }

    /** Ends a member with SIGKILL. */
    void kill(int member) {
        process(member).close();
    }

    /** Deletes what a member has on its disk. */
    void wipe(int member) {
        try (Stream<Path> files = Files.walk(folder(member))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Copies a folder to a member, without the names of whom it belonged to. */
    void copy(Path from, int member) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder(member).resolve(from.relativize(file).toString()));
            }
        }
        Files.deleteIfExists(folder(member).resolve("myid"));
    }

    /** Returns the member that leads, of a cluster whose members are all ready. */
    int leader() {
        List<Integer> leaders = new ArrayList<>();
        Eventually.within(LONG, () -> "these lead: " + leaders, () -> {
            leaders.clear();
            all().filter(member -> client(member).metric("quorumlock_store_leader") == 1)
                    .forEach(leaders::add);
            return leaders.size() == 1;
        });
        return leaders.get(0);
    }

    @Override
    public void close() {
        processes.stream().filter(process -> process != null).forEach(ServiceProcess::close);
    }
}
