// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Packaged services that are the members of their own cluster. Each change waits for their disks. */
public final class MemberCluster extends StoreCluster {
    private final long founded = Instant.now().getEpochSecond();

    private MemberCluster(int size) {
        super(size);
    }

    /** Starts a new cluster. */
    public static MemberCluster of(int size) {
        MemberCluster cluster = new MemberCluster(size);
        cluster.members().forEach(cluster::start);
        return cluster;
    }

    /** Returns the client addresses of the members, as the client expects them. */
    public String addresses() {
        return members().mapToObj(member -> HOST + clientPort(member)).collect(Collectors.joining(","));
    }

    @Override
    List<String> command(int member) throws IOException {
        String all = members()
                .mapToObj(other -> HOST + clientPort(other) + ":" + port(other, 1) + ":" + port(other, 2))
                .collect(Collectors.joining(","));
        return JavaCommand.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                StartUpArchive.argument(),
                "-Dquorumlock.cluster.data=" + folder(member),
                "-Dquorumlock.cluster.members=" + all,
                "-Dquorumlock.cluster.self=" + HOST + clientPort(member),
                "-Dquorumlock.cluster.founded=" + founded,
                "-Dquorumlock.security.open=true",
                "-Dquarkus.http.port=" + port(member, 3),
                "-jar",
                ServiceProcess.JAR.toString());
    }
}
