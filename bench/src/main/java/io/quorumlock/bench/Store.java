// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three servers of a store, as processes of this machine. Each write waits for the disks of two, as by default. */
final class Store implements AutoCloseable {
    private static final int SERVERS = 3;
    private static final int PORTS = 3;
    private static final String HOST = "127.0.0.1";
    /** Shorter than the TTL of the benchmark with its drift. */
    private static final String TIMEOUT = "900ms";

    private static final int START_SECONDS = 30;
    private static final long POLL_NANOS = 20_000_000;

    private final Kind kind;
    private final Path folder;
    private final List<Integer> ports;
    private final List<ChildProcess> processes = new ArrayList<>();

    /** The stores on which the service can keep its locks. */
    enum Kind {
        ZOOKEEPER("ZooKeeper", ""),
        ETCD("etcd", "http://");

        final String title;
        private final String scheme;

        Kind(String title, String scheme) {
            this.title = title;
            this.scheme = scheme;
        }
    }

    private Store(Kind kind) throws IOException {
        this.kind = kind;
        this.folder = Files.createTempDirectory("quorumlock-bench-");
        this.ports = freePorts();
    }

    /** Starts the servers and waits until each accepts connections. */
    static Store start(Kind kind) {
        try {
            Store store = new Store(kind);
            for (int server = 0; server < SERVERS; server++) {
                Files.createDirectory(store.folder.resolve("server-" + server));
            }
            store.startServers();
            return store;
        } catch (IOException e) {
            throw new IllegalStateException(kind.title + " cannot be started: " + e.getMessage(), e);
        }
    }

    private void startServers() throws IOException {
        for (int server = 0; server < SERVERS; server++) {
            Path data = folder.resolve("server-" + server);
            List<String> command = kind == Kind.ETCD ? etcd(server, data) : zooKeeper(server, data);
            Path log = Environment.WORK.resolve("store-" + kind.title + "-" + server + ".log");
            processes.add(ChildProcess.supervised(log, Map.of(), command));
        }
        awaitStart();
    }

    /** Kills all servers and starts them again with their data. */
    void restart() throws IOException {
        processes.forEach(ChildProcess::close);
        processes.clear();
        startServers();
    }

    /** Returns the addresses of the servers, separated by commas. */
    String servers() {
        return servers(0).map(address -> kind.scheme + address).collect(Collectors.joining(","));
    }

    private Stream<String> servers(int which) {
        return IntStream.range(0, SERVERS).mapToObj(server -> HOST + ":" + port(server, which));
    }

    /** Returns the configuration of a service that keeps its locks here. */
    ServiceConfig service() {
        return ServiceConfig.of(kind.title)
                .withoutMasters()
                .with("QUORUMLOCK_ENGINE", kind.title.toLowerCase(Locale.ROOT))
                .with("QUORUMLOCK_" + kind.name() + "_SERVERS", servers())
                .with("QUORUMLOCK_" + kind.name() + "_TIMEOUT", TIMEOUT);
    }

    /** Returns the configuration of a service that uses the first server only. */
    ServiceConfig serviceOnFirst() {
        String first = servers().split(",")[0];
        return service().named(kind.title + "-first").with("QUORUMLOCK_" + kind.name() + "_SERVERS", first);
    }

    Stream<ProcessHandle> handles() {
        return processes.stream().map(ChildProcess::handle);
    }

    private List<String> zooKeeper(int server, Path data) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of("dataDir=" + data, "tickTime=2000", "initLimit=10", "syncLimit=5", "admin.enableServer=false"));
        for (int other = 0; other < SERVERS; other++) {
            lines.add("server." + (other + 1) + "=" + HOST + ":" + port(other, 1) + ":" + port(other, 2)
                    + ":participant;" + HOST + ":" + port(other, 0));
        }
        Files.writeString(data.resolve("myid"), Integer.toString(server + 1));
        Path file = Files.write(data.resolve("zoo.cfg"), lines);
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                file.toString());
    }

    private List<String> etcd(int server, Path data) {
        String cluster = IntStream.range(0, SERVERS)
                .mapToObj(other -> "m" + other + "=http://" + HOST + ":" + port(other, 1))
                .collect(Collectors.joining(","));
        String client = "http://" + HOST + ":" + port(server, 0);
        String peer = "http://" + HOST + ":" + port(server, 1);
        return List.of(
                etcdProgram(),
                "--name=m" + server,
                "--data-dir=" + data,
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + cluster,
                "--auto-compaction-retention=2m",
                "--quota-backend-bytes=8589934592",
                "--log-level=error");
    }

    private static String etcdProgram() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "etcd"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("etcd is not in the PATH"))
                .toString();
    }

    private int port(int server, int which) {
        return ports.get(PORTS * server + which);
    }

    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < PORTS * SERVERS; i++) {
            sockets.add(new ServerSocket(0));
        }
        List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private void awaitStart() {
        long deadline = System.nanoTime() + START_SECONDS * 1_000_000_000L;
        for (int server = 0; server < SERVERS; server++) {
            while (!accepts(port(server, 0))) {
                if (System.nanoTime() - deadline > 0) {
                    close();
                    throw new IllegalStateException(kind.title + " does not start: "
                            + processes.get(server).lastLogLine());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(HOST, port));
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
    }
}
