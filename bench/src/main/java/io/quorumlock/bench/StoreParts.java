// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import static io.quorumlock.bench.Parts.MANY;
import static io.quorumlock.bench.Parts.ONE;
import static io.quorumlock.bench.Parts.ON_STORE;
import static io.quorumlock.bench.Parts.ON_STORE_HOT;
import static io.quorumlock.bench.Parts.ON_STORE_SHARED;
import static io.quorumlock.bench.Parts.OWN_LOCK;
import static io.quorumlock.bench.Parts.OWN_LOCK_HOT;
import static io.quorumlock.bench.Parts.hotResource;
import static io.quorumlock.bench.Parts.part;

import io.quorumlock.bench.HttpOperation.Cycle;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The parts of the benchmark on ZooKeeper and etcd. */
final class StoreParts {
    private StoreParts() {}

    static Stream<Part> of(Options options) {
        return options.against()
                .map(BuildParts::onStores)
                .orElseGet(() -> Stream.concat(
                        store(Store.Kind.ZOOKEEPER, Peer::curator), store(Store.Kind.ETCD, Peer::etcdLock)));
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
