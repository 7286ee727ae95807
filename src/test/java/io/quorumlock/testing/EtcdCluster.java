// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.engines.etcd.MemberAddress;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An etcd cluster of processes of this machine. */
public final class EtcdCluster extends StoreCluster {
    private final Path executable;
    private final String scheme;
    private final List<String> options;
    private final Set<Integer> alone = new HashSet<>();

    private EtcdCluster(Path executable, int size, String scheme, List<String> options) {
        super(size);
        this.executable = executable;
        this.scheme = scheme;
        this.options = options;
    }

    /** Starts a cluster. Without etcd on this machine, the test is left out. */
    public static EtcdCluster of(int size) {
        return start(size, "http", List.of());
    }

    /** Starts one member with more options. */
    public static EtcdCluster with(String... options) {
        return start(1, "http", List.of(options));
    }

    /** Starts one member with TLS. @param trusted the certificates that its clients must have; empty for none */
    public static EtcdCluster secured(Path certificate, Path key, Optional<Path> trusted) {
        List<String> options =
                new ArrayList<>(List.of("--cert-file", certificate.toString(), "--key-file", key.toString()));
        trusted.ifPresent(file -> options.addAll(List.of("--client-cert-auth", "--trusted-ca-file", file.toString())));
        return start(1, "https", options);
    }

    private static EtcdCluster start(int size, String scheme, List<String> options) {
        Optional<Path> found = executable();
        assumeTrue(found.isPresent(), "etcd is not installed");
        EtcdCluster cluster = new EtcdCluster(found.orElseThrow(), size, scheme, options);
        cluster.members().forEach(cluster::start);
        return cluster;
    }

    private static Optional<Path> executable() {
        return Stream.concat(
                        Optional.ofNullable(System.getProperty("test.etcd")).stream(),
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                                .map(folder -> folder + "/etcd"))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the client addresses of the members. */
    public List<MemberAddress> addresses() {
        return members().mapToObj(member -> MemberAddress.of(url(member))).toList();
    }

    /** Returns the client address of a member as a setting. */
    public String url(int member) {
        return scheme + "://localhost:" + clientPort(member);
    }

    /** Starts a member that was killed without its data, as a cluster of its own. */
    public void startAlone(int member) {
        alone.add(member);
        start(member);
    }

    @Override
    List<String> command(int member) throws IOException {
        String all = members()
                .filter(other -> other == member || !alone.contains(member))
                .mapToObj(other -> "m" + other + "=" + peer(other))
                .collect(Collectors.joining(","));
        String client = url(member);
        String listen = scheme + "://" + HOST + clientPort(member);
        List<String> command = new ArrayList<>(List.of(executable.toString(), "--name", "m" + member));
        command.addAll(List.of(
                "--data-dir",
                folder(member)
                        .resolve(alone.contains(member) ? "new-data" : "data")
                        .toString()));
        command.addAll(List.of("--listen-client-urls", listen, "--advertise-client-urls", client));
        command.addAll(List.of("--listen-peer-urls", peer(member), "--initial-advertise-peer-urls", peer(member)));
        command.addAll(List.of("--initial-cluster", all, "--initial-cluster-state", "new"));
        command.addAll(List.of("--auto-compaction-retention", "2m", "--quota-backend-bytes", "8589934592"));
        command.addAll(List.of("--unsafe-no-fsync", "--log-level", "error"));
        command.addAll(options);
        return command;
    }

    private String peer(int member) {
        return "http://" + HOST + port(member, 1);
    }
}
