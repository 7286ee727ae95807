// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import static io.quorumlock.bench.Parts.MANY;
import static io.quorumlock.bench.Parts.ONE;
import static io.quorumlock.bench.Parts.ON_STORE;
import static io.quorumlock.bench.Parts.ON_STORE_HOT;
import static io.quorumlock.bench.Parts.ON_STORE_SHARED;
import static io.quorumlock.bench.Parts.OTHER_BUILD;
import static io.quorumlock.bench.Parts.OWN_LOCK;
import static io.quorumlock.bench.Parts.OWN_LOCK_HOT;
import static io.quorumlock.bench.Parts.THIS_BUILD;
import static io.quorumlock.bench.Parts.hotResource;
import static io.quorumlock.bench.Parts.http;
import static io.quorumlock.bench.Parts.part;

import io.quorumlock.bench.HttpOperation.Cycle;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The parts of the benchmark on ZooKeeper and etcd. */
final class StoreParts {
    private StoreParts() {}

    static Stream<Part> of(Options options) {
        return options.against()
                .map(application -> Stream.of(Store.Kind.values()).flatMap(kind -> comparison(kind, application)))
                .orElseGet(() -> Stream.concat(
                        store(Store.Kind.ZOOKEEPER, Peer::curator), store(Store.Kind.ETCD, Peer::etcdLock)));
    }

    /**
     * Compares with another build, which has a root of its own. Both use the same server, because a write by a follower
     * costs more than one by the leader.
     */
    private static Stream<Part> comparison(Store.Kind kind, Path application) {
        String name = kind.title + ON_STORE + MANY;
        UnaryOperator<ServiceConfig> other = config -> config.named(kind.title + "-other-build")
                .application(application)
                .with("QUORUMLOCK_" + kind.name() + "_ROOT", "/other-build");
        return Stream.of(
                part(name + THIS_BUILD, onFirstServer(kind, config -> config)).cold(),
                part(name + OTHER_BUILD, onFirstServer(kind, other)).cold());
    }

    private static Workload.Factory onFirstServer(Store.Kind kind, UnaryOperator<ServiceConfig> configure) {
        return environment -> http(configure.apply(environment.store(kind).serviceOnFirst()), 64, Cycle::new)
                .create(environment);
    }

    /** Starts clients of the lock that belongs to a store. */
    @FunctionalInterface
    private interface OwnLock {
        Workload start(Environment environment, int clients, boolean hot) throws Exception;
    }

    private static Stream<Part> store(Store.Kind kind, OwnLock own) {
        String title = kind.title;
        return Stream.of(
                part(title + ON_STORE + ONE, onStore(kind, 1, Cycle::new)).cold(),
                part(title + OWN_LOCK + ONE, environment -> own.start(environment, 1, false))
                        .cold(),
                part(title + ON_STORE + MANY, onStore(kind, 64, Cycle::new)),
                part(title + OWN_LOCK + MANY, environment -> own.start(environment, 64, false)),
                part(title + ON_STORE_SHARED, onStore(kind, 64, Cycle::shared)),
                part(title + ON_STORE_HOT, environment -> hotResource(service(environment, kind))),
                part(title + OWN_LOCK_HOT, environment -> own.start(environment, 1 + 64, true)));
    }

    private static Workload.Factory onStore(Store.Kind kind, int clients, Supplier<HttpOperation> operations) {
        return environment -> new HttpLoad.ClosedLoop(List.of(service(environment, kind)), clients, operations);
    }

    private static Service service(Environment environment, Store.Kind kind) {
        return environment.service(environment.store(kind).service());
    }
}
