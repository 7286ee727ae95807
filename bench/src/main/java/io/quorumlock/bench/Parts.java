// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.HttpOperation.Acquire;
import io.quorumlock.bench.HttpOperation.Cycle;
import io.quorumlock.bench.HttpOperation.Get;
import io.quorumlock.bench.HttpOperation.HandOver;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All parts of the benchmark. Their names identify them in raw results, so they stay the same. */
final class Parts {
    static final String CYCLE = "HTTP, acquire + release, ";
    static final String NODE_REDLOCK = "node-redlock in process, acquire + release, ";
    static final String REDISSON = "RedissonRedLock in process, acquire + release, ";
    static final String NO_OP = "HTTP, GET /nodes, ";
    static final String ONE = "1 client";
    static final String FEW = "16 clients";
    static final String MANY = "64 clients";
    static final String CROWDED = "256 clients";
    static final String ACQUIRE = "HTTP, acquire, 1 client";
    static final String EIGHT_NAMES = "HTTP, acquire + release of 8 names, 1 client";
    static final String SHARED = "HTTP, acquire + release of one shared lock, 64 clients";
    static final String SMALL = "HTTP, acquire + release, -Xmx64m, 64 clients";
    static final String AMONG_THOUSAND = "HTTP, acquire + release, 64 clients, 1,000 other locks";
    static final String AMONG_MILLION = "HTTP, acquire + release, 64 clients, 1,000,000 other locks";
    static final String RATE = "HTTP, acquire + release, fixed rate";
    static final String RATE_STOPPED = "HTTP, acquire + release, fixed rate, two masters stopped";
    static final String HOT = "HTTP, one hot resource, hand-over to the next of 64 waiters";
    static final String SLOW_ACQUIRE = "HTTP, acquire, 1 client, once in 10 ms";
    static final String HELD =
            "HTTP, one hot resource held for 10 ms each, hand-over to the next of 64 on two replicas";

    static final String CAPACITY = "capacity, ";
    static final String AT_RATE = CAPACITY + "acquire + release, cycles/s: ";
    static final String HELD_LOCKS = CAPACITY + "10,000 held locks";
    static final String WAITERS = CAPACITY + "10,000 waiting clients";
    static final String STREAMS = CAPACITY + "10,000 event streams";
    static final String CONNECTIONS = CAPACITY + "10,000 idle connections";

    /** Suffixes of the parts on a store, after its title. */
    static final String ON_STORE = ", HTTP, acquire + release, ";

    static final String ON_STORE_SHARED = ", " + SHARED;
    static final String OWN_LOCK = ", its client's lock in process, acquire + release, ";
    static final String ON_STORE_HOT = ", HTTP, one hot resource, hand-over to the next of 64 waiters";
    static final String OWN_LOCK_HOT = ", its client's lock in process, hand-over to the next of 64 waiters";

    /** Suffixes of the parts that compare two builds. */
    static final String THIS_BUILD = ", this build";

    static final String OTHER_BUILD = ", other build";
    static final String SAME_BUILD = ", this build again";

    private static final long HOLD_NANOS = 10_000_000;
    private static final Duration HELD_WARM_UP = Duration.ofSeconds(20);
    private static final int MASTERS_TO_STOP = 2;
    /** The table shows the rate that was reached, so a run that falls behind is not lost. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private Parts() {}

    static List<Part> of(Options options) {
        if (options.capacity() || options.stores()) {
            return (options.capacity() ? capacity() : StoreParts.of(options))
                    .filter(part -> options.includes(part.name()))
                    .toList();
        }
        Part most = part(CYCLE + MANY, http(ServiceConfig.FULL, 64, Cycle::new));
        Stream<Part> parts = options.against()
                .map(application -> BuildParts.onRedis(application, options.round()))
                .orElseGet(() -> Stream.concat(cycles(most), Stream.concat(peers(), workloads(options, most))));
        return parts.filter(part -> options.includes(part.name())).toList();
    }

    /** The higher rates warm up the service before the first round. */
    private static Stream<Part> capacity() {
        return Stream.of(
                part(AT_RATE + 10, environment -> atRate(environment, 10)),
                part(AT_RATE + 100, environment -> atRate(environment, 100)),
                part(AT_RATE + 500, environment -> atRate(environment, 500)).cold(),
                part(AT_RATE + 1_000, environment -> atRate(environment, 1_000)).cold(),
                part(AT_RATE + 2_000, environment -> atRate(environment, 2_000)).cold(),
                part(HELD_LOCKS, environment -> new Crowd.HeldLocks(environment, 10_000)),
                part(WAITERS, environment -> new Crowd.MemoryUse(environment, 10_000, Crowd.Kind.WAITERS)),
                part(STREAMS, environment -> new Crowd.MemoryUse(environment, 10_000, Crowd.Kind.STREAMS)),
                part(CONNECTIONS, environment -> new Crowd.MemoryUse(environment, 10_000, Crowd.Kind.CONNECTIONS)));
    }

    private static Workload atRate(Environment environment, int perSecond) throws Exception {
        return new HttpLoad.FixedRate(
                environment.service(ServiceConfig.CAPACITY), service -> perSecond, LATE, Cycle::new);
    }

    private static Stream<Part> cycles(Part most) {
        return Stream.of(
                part(CYCLE + ONE, http(ServiceConfig.FULL, 1, Cycle::new)),
                part(CYCLE + FEW, http(ServiceConfig.FULL, 16, Cycle::new)),
                most,
                part(CYCLE + CROWDED, http(ServiceConfig.FULL, 256, Cycle::new)),
                part(EIGHT_NAMES, http(ServiceConfig.FULL, 1, Cycle::ofEight)),
                part(SHARED, http(ServiceConfig.FULL, 64, Cycle::shared)),
                part(NO_OP + MANY, http(ServiceConfig.FULL, 64, () -> new Get("/nodes"))));
    }

    private static Stream<Part> peers() {
        return Stream.of(
                part(NODE_REDLOCK + ONE, environment -> Peer.nodeRedlock(environment, 1)),
                part(NODE_REDLOCK + MANY, environment -> Peer.nodeRedlock(environment, 64)),
                part(REDISSON + ONE, environment -> Peer.redisson(environment, 1)),
                part(REDISSON + MANY, environment -> Peer.redisson(environment, 64)));
    }

    private static Stream<Part> workloads(Options options, Part most) {
        HttpLoad.TargetRate rate = new HttpLoad.TargetRate(most, 64, options.round());
        return Stream.of(
                part(RATE, environment -> fixedRate(environment, ServiceConfig.DEFAULT_TIMEOUT, rate))
                        .cold(),
                part(RATE_STOPPED, environment -> withStoppedMasters(environment, ServiceConfig.DEFAULT_TIMEOUT, rate))
                        .cold(),
                part(AMONG_THOUSAND, environment -> amongLocks(environment, 1_000)),
                part(AMONG_MILLION, environment -> amongLocks(environment, 1_000_000)),
                part(ACQUIRE, http(ServiceConfig.FULL, 1, () -> new Acquire(0))),
                part(SLOW_ACQUIRE, http(ServiceConfig.FULL, 1, () -> new Acquire(HOLD_NANOS))),
                part(HOT, environment -> hotResource(environment.service(ServiceConfig.FULL))),
                part(HELD, Parts::heldResource),
                part(SMALL, http(ServiceConfig.SMALL, 64, Cycle::new)).cold());
    }

    static Part part(String name, Workload.Factory factory) {
        return new Part(name, factory);
    }

    static Workload.Factory http(ServiceConfig config, int clients, Supplier<HttpOperation> operations) {
        return environment -> new HttpLoad.ClosedLoop(List.of(environment.service(config)), clients, operations);
    }

    private static Workload fixedRate(Environment environment, ServiceConfig config, HttpLoad.TargetRate rate)
            throws Exception {
        return new HttpLoad.FixedRate(environment.service(config), rate, HttpLoad.TIMEOUT, Cycle::new);
    }

    static Workload withStoppedMasters(Environment environment, ServiceConfig config, HttpLoad.TargetRate rate)
            throws Exception {
        return new Workload.Wrapper(fixedRate(environment, config, rate)) {
            @Override
            public Workload.Sample run(Duration duration) throws Exception {
                environment.masters().suspend(MASTERS_TO_STOP);
                try {
                    return super.run(duration);
                } finally {
                    environment.masters().resume(MASTERS_TO_STOP);
                    environment.awaitAllMasters();
                }
            }
        };
    }

    private static Workload amongLocks(Environment environment, int locks) throws Exception {
        return new Workload.Wrapper(http(ServiceConfig.FULL, 64, Cycle::new).create(environment)) {
            @Override
            public void prepare() throws Exception {
                environment.masters().fill(locks); // takes long, and the service closes idle connections
                super.prepare();
            }
        };
    }

    static Workload hotResource(Service service) throws Exception {
        return handOver(List.of(service), 1 + 64, 0);
    }

    /** The service rests most of the time, so it is warmed up by the same workload without pauses. */
    private static Workload heldResource(Environment environment) throws Exception {
        List<Service> replicas = List.of(
                environment.service(ServiceConfig.FULL), environment.service(ServiceConfig.FULL.named("other")));
        try (Workload busy = handOver(replicas, 64, 0)) {
            busy.prepare();
            busy.run(HELD_WARM_UP);
        }
        return handOver(replicas, 64, HOLD_NANOS);
    }

    private static Workload handOver(List<Service> services, int clients, long holdNanos) throws Exception {
        HandOver.HotResource hot = new HandOver.HotResource(holdNanos);
        return new HttpLoad.ClosedLoop(services, clients, () -> new HandOver(hot));
    }
}
