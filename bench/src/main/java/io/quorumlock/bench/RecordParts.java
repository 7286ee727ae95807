// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.util.stream.Stream;

/** The parts of the benchmark with many records on ZooKeeper and etcd. */
final class RecordParts {
    private static final String BESIDE_LISTS = Parts.ON_STORE + "1 client beside lists of 100,000 locks";
    private static final String NEW_NAMES = ", HTTP, 10,000 new names a minute";

    private RecordParts() {}

    static Stream<Part> all() {
        return Stream.of(Store.Kind.values())
                .flatMap(kind -> Stream.of(
                        new Part(kind.title + BESIDE_LISTS, environment -> LockLists.filled(environment, kind)),
                        new Part(kind.title + NEW_NAMES, environment -> new NewNames(environment, kind))));
    }
}
