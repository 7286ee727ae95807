// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.LockWaiters.Cut;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The parts of the benchmark with many waiting clients. */
final class WaiterParts {
    private static final String BESIDE_WAITERS = ", acquire + release, 1 client beside waiters";
    private static final String LET_IN = "Redis, 900 readers let in after a writer";
    private static final int READERS = 900;
    private static final int MAJORITY = 3;

    private WaiterParts() {}

    /** Compares with another build if there is one. */
    static Stream<Part> of(int count, Optional<Path> other) {
        Stream<Part> own = parts(count, Parts.THIS_BUILD, config -> config);
        return Stream.concat(
                own,
                other.stream()
                        .flatMap(application ->
                                parts(count, Parts.OTHER_BUILD, config -> config.named(config.name() + "-other")
                                        .application(application))));
    }

    private static Stream<Part> parts(int count, String build, UnaryOperator<ServiceConfig> configure) {
        ServiceConfig config = configure.apply(ServiceConfig.MANY_WAITERS);
        return Stream.of(
                new Part("Redis" + BESIDE_WAITERS + build, environment -> {
                    Masters masters = environment.masters();
                    List<Cut> cuts = List.of(
                            new Cut("subscriptions of one master cut", () -> masters.cutSubscriptions(1)),
                            new Cut("subscriptions of a majority cut", () -> masters.cutSubscriptions(MAJORITY)));
                    return new LockWaiters.Beside(environment.service(config), count, cuts);
                }),
                new Part("etcd" + BESIDE_WAITERS + build, environment -> {
                    Store etcd = environment.store(Store.Kind.ETCD);
                    Service service =
                            environment.service(configure.apply(etcd.service().withManyWaiters()));
                    return new LockWaiters.Beside(
                            service, count, List.of(new Cut("all members restarted", etcd::restart)));
                }),
                new Part(LET_IN + build, environment -> new LockWaiters.Readers(environment.service(config), READERS)));
    }
}
