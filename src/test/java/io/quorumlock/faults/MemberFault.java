// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.StoreCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** A fault of one member of a store, or of the connections of replicas to it. */
final class MemberFault {
    private final StoreCluster cluster;
    private final int member;
    private final Forwarder proxy;
    private final NodesPoller watch;
    private final AtomicReference<String> evidence = new AtomicReference<>("");

    MemberFault(StoreCluster cluster, int member, Forwarder proxy, NodesPoller watch) {
        this.cluster = cluster;
        this.member = member;
        this.proxy = proxy;
        this.watch = watch;
    }

    FaultAction of(FaultKind kind) {
        return switch (kind) {
            case KILL -> kill();
            case SUSPEND -> action(this::suspend, () -> cluster.resume(member));
            case HALF_OPEN -> action(() -> count(proxy.silence()), proxy::disconnect);
            case REFUSE -> action(this::refuse, () -> proxy.refuse(false));
            default -> throw new IllegalArgumentException("no fault of a member: " + kind);
        };
    }

    private FaultAction action(Runnable begin, Runnable end) {
        return new FaultAction(begin, end, begun -> evidence.get(), () -> watch.isUp(member + 1));
    }

    private FaultAction kill() {
        long before = cluster.pid(member);
        return new FaultAction(
                () -> cluster.kill(member),
                () -> cluster.start(member),
                begun -> cluster.pid(member) == before ? "" : "process " + before + " became " + cluster.pid(member),
                () -> watch.isUp(member + 1));
    }

    private void suspend() {
        cluster.suspend(member);
        try {
            String status = Files.readString(Path.of("/proc/" + cluster.pid(member) + "/stat"));
            evidence.set(status.contains(") T ") ? "the process is stopped" : "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void refuse() {
        proxy.refuse(true);
        count(proxy.disconnect());
    }

    private void count(int connections) {
        evidence.set(connections > 0 ? connections + " connections" : "");
    }
}
