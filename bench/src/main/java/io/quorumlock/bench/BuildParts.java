// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import static io.quorumlock.bench.Parts.*;

import io.quorumlock.bench.HttpOperation.Cycle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The parts that compare this build with another one, on the same masters and with the same settings. The part with 64 clients
 * also runs with a second process of this build: its ratio to the first one is the error of the method.
 */
final class BuildParts {
    /** Begins the names of configurations of the other build. */
    static final String OTHER_PREFIX = "other-";

    private final Build here = new Build(THIS_BUILD, config -> config);
    private final Build again = new Build(SAME_BUILD, config -> config.named("again-" + config.name()));
    private final Build other;

    /**
     * One side of the comparison.
     *
     * @param suffix of the names of its parts
     * @param configure makes a configuration one of this build
     */
    private record Build(String suffix, UnaryOperator<ServiceConfig> configure) {

        Part part(String name, ServiceConfig config, WithService factory) {
            ServiceConfig own = configure.apply(config);
            return new Part(name + suffix, environment -> factory.create(environment, own)).cold();
        }
    }

    @FunctionalInterface
    private interface WithService {
        Workload create(Environment environment, ServiceConfig config) throws Exception;
    }

    private BuildParts(Path application) {
        this.other = new Build(OTHER_BUILD, config -> config.named(OTHER_PREFIX + config.name())
                .application(application));
    }

    static Stream<Part> onRedis(Path application, Duration round) {
        BuildParts builds = new BuildParts(application);
        Part most = cycles(builds.here, MANY, 64);
        HttpLoad.TargetRate rate = new HttpLoad.TargetRate(most, 64, round);
        return Stream.of(
                        Stream.of(most, cycles(builds.other, MANY, 64), cycles(builds.again, MANY, 64)),
                        builds.both().map(build -> cycles(build, ONE, 1)),
                        builds.both()
                                .map(build -> build.part(
                                        HOT,
                                        ServiceConfig.FULL,
                                        (environment, config) -> hotResource(environment.service(config)))),
                        builds.both()
                                .map(build -> build.part(
                                        RATE_STOPPED,
                                        ServiceConfig.DEFAULT_TIMEOUT,
                                        (environment, config) -> withStoppedMasters(environment, config, rate))))
                .flatMap(parts -> parts);
    }

    private static Part cycles(Build build, String clients, int count) {
        return build.part(CYCLE + clients, ServiceConfig.FULL, (environment, config) -> http(config, count, Cycle::new)
                .create(environment));
    }

    /**
     * Each build has a root of its own. All use the same server, because a write by a follower costs more than one by the
     * leader.
     */
    static Stream<Part> onStores(Path application) {
        BuildParts builds = new BuildParts(application);
        return Stream.of(Store.Kind.values()).flatMap(kind -> Stream.of(builds.here, builds.other, builds.again)
                .map(build -> new Part(kind.title + ON_STORE + MANY + build.suffix(), environment -> {
                            ServiceConfig config = build.configure()
                                    .apply(environment.store(kind).serviceOnFirst())
                                    .with(
                                            "QUORUMLOCK_" + kind.name() + "_ROOT",
                                            "/" + build.suffix().replaceAll("\\W", ""));
                            return http(config, 64, Cycle::new).create(environment);
                        })
                        .cold()));
    }

    private Stream<Build> both() {
        return Stream.of(here, other);
    }
}
