package io.quorumlock.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Names all parts, and says how each is made. */
final class Contestants {
    static final String ENGINE = "engine, acquire, ";
    static final String POOL = "pooled client at its best, acquire, ";
    static final String DEFAULT_POOL = "pooled client as it comes, acquire, ";
    static final String CYCLE = "HTTP, acquire + release, ";
    static final String NODE_REDLOCK = "node-redlock in process, acquire + release, ";
    static final String REDISSON = "RedissonRedLock in process, acquire + release, ";
    static final String NO_OP = "HTTP, GET /nodes, ";
    static final String NOTHING = "HTTP, a server that does nothing, ";
    static final String ONE = "1 client";
    static final String FEW = "16 clients";
    static final String MANY = "64 clients";
    static final String CROWDED = "256 clients";
    static final String ACQUIRE = "HTTP, acquire, 1 client";
    static final String PLAIN = "HTTP, acquire + release, without fencing and guard, 64 clients";
    static final String SMALL = "HTTP, acquire + release, -Xmx64m, 64 clients";
    static final String AMONG_THOUSAND = "HTTP, acquire + release, 64 clients, 1,000 other locks";
    static final String AMONG_MILLION = "HTTP, acquire + release, 64 clients, 1,000,000 other locks";
    static final String RATE = "HTTP, acquire + release, fixed rate";
    static final String RATE_STOPPED = "HTTP, acquire + release, fixed rate, two masters stopped";
    static final String HOT = "HTTP, one hot resource, hand-over to the next of 64 waiters";
    static final String SLOW_ACQUIRE = "HTTP, acquire, 1 client, once in 10 ms";
    static final String HELD = "HTTP, one hot resource held for 10 ms each, hand-over to the next of 64 on two replicas";
    static final String NOBODY_WAITS = "HTTP, acquire + release, 16 clients, nobody waits elsewhere";
    static final String CROWD_WAITS = "HTTP, acquire + release, 16 clients, 10,000 wait elsewhere";
    static final String CROWD = "HTTP, 10,000 clients come to wait, on a service just started";
    static final String RAW = "raw SET NX PX, pipeline 64";
    static final String BATCHES = "raw scripts on one master, acquire + release, pipeline 16";
    static final String SINGLY = "raw scripts on one master, acquire + release, one by one";
    static final String START = "start until ready, own JDK";
    static final String START_SECOND = "start until ready, second JDK";
    static final String START_ARCHIVED = "start until ready, second JDK, start-up archive";

    /** In nanoseconds. */
    private static final long HOLD = 10_000_000;

    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private Contestants() {}

    static List<Contestant> of(Plan plan, Progress progress) {
        Contestant most = part(CYCLE + MANY, http(Form.FULL, 64, HttpCycle::new));
        return Stream.of(engines(plan, progress), cycles(most), peers(), floors(), workloads(plan, most), starts(plan))
                .flatMap(parts -> parts)
                .filter(contestant -> plan.includes(contestant.name()))
                .toList();
    }

    private static Stream<Contestant> engines(Plan plan, Progress progress) {
        return Stream.of(
                part(ENGINE + MANY, setting -> new EngineAcquire(setting, 64)),
                part(POOL + MANY, setting -> PoolChoice.best(setting, 64, plan.round(), progress)),
                part(DEFAULT_POOL + MANY, setting -> PoolChoice.asItComes(setting, 64)),
                part(ENGINE + ONE, setting -> new EngineAcquire(setting, 1)),
                part(POOL + ONE, PoolChoice::single));
    }

    private static Stream<Contestant> cycles(Contestant most) {
        return Stream.of(
                part(CYCLE + ONE, http(Form.FULL, 1, HttpCycle::new)),
                part(CYCLE + FEW, http(Form.FULL, 16, HttpCycle::new)),
                most,
                part(CYCLE + CROWDED, http(Form.FULL, 256, HttpCycle::new)),
                part(PLAIN, http(Form.PLAIN, 64, HttpCycle::new)).cold());
    }

    private static Stream<Contestant> peers() {
        return Stream.of(
                part(NODE_REDLOCK + ONE, setting -> Peers.nodeRedlock(setting, 1)),
                part(NODE_REDLOCK + MANY, setting -> Peers.nodeRedlock(setting, 64)),
                part(REDISSON + ONE, setting -> Peers.redisson(setting, 1)),
                part(REDISSON + MANY, setting -> Peers.redisson(setting, 64)));
    }

    private static Stream<Contestant> floors() {
        return Stream.of(
                part(NO_OP + ONE, http(Form.FULL, 1, () -> new HttpGet("/nodes"))),
                part(NO_OP + MANY, http(Form.FULL, 64, () -> new HttpGet("/nodes"))),
                part(NOTHING + ONE, http(Form.NOTHING, 1, () -> new HttpGet("/"))),
                part(NOTHING + MANY, http(Form.NOTHING, 64, () -> new HttpGet("/"))),
                part(SINGLY, setting -> new RawScripts(setting, 1)),
                part(BATCHES, setting -> new RawScripts(setting, 16)),
                part(RAW, setting -> new RawPipeline(setting, 64)));
    }

    private static Stream<Contestant> workloads(Plan plan, Contestant most) {
        Pace pace = new Pace(most, 64, plan.round());
        return Stream.of(
                part(RATE, setting -> fixedRate(setting, pace)).cold(),
                part(RATE_STOPPED, setting -> new TwoStopped(setting, fixedRate(setting, pace))).cold(),
                part(AMONG_THOUSAND, setting -> new AmongLocks(setting, 1_000, cycles(setting))),
                part(AMONG_MILLION, setting -> new AmongLocks(setting, 1_000_000, cycles(setting))),
                part(ACQUIRE, http(Form.FULL, 1, () -> new HttpAcquire(0))),
                part(SLOW_ACQUIRE, http(Form.FULL, 1, () -> new HttpAcquire(HOLD))),
                part(HOT, setting -> handOver(List.of(setting.service(Form.FULL)), 1 + 64, 0)),
                part(HELD, Contestants::heldHandOver),
                part(NOBODY_WAITS, http(Form.PATIENT, 16, HttpCycle::new)).cold(),
                part(CROWD_WAITS, setting -> crowded(setting, 10_000)),
                part(CROWD, setting -> new CrowdsWeight(setting, 10_000)),
                part(SMALL, http(Form.SMALL, 64, HttpCycle::new)).cold());
    }

    private static Stream<Contestant> starts(Plan plan) {
        return Stream.of(
                part(START, setting -> StartUp.plain(setting, Path.of(System.getProperty("java.home")))),
                part(START_SECOND, setting -> StartUp.plain(setting, second(plan))),
                part(START_ARCHIVED, setting -> StartUp.archived(setting, second(plan))));
    }

    private static Contestant part(String name, Part.Opener opener) {
        return new Contestant(name, opener);
    }

    private static Part.Opener http(Form form, int clients, Supplier<Dialogue> dialogue) {
        return setting -> new HttpLoop(List.of(setting.service(form)), clients, dialogue);
    }

    private static Part cycles(Setting setting) throws Exception {
        return http(Form.FULL, 64, HttpCycle::new).open(setting);
    }

    private static Part fixedRate(Setting setting, Pace pace) throws Exception {
        return new FixedRate(setting.service(Form.IMPATIENT), pace, HttpCycle::new);
    }

    private static Part handOver(List<Service> services, int clients, long hold) throws Exception {
        HandOver.Hot hot = new HandOver.Hot(hold);
        return new HttpLoop(services, clients, () -> new HandOver(hot));
    }

    /** What rests most of the time would never be compiled: it is warmed up by handing over without a rest. */
    private static Part heldHandOver(Setting setting) throws Exception {
        List<Service> replicas = List.of(setting.service(Form.FULL), setting.service(Form.FULL.named("other")));
        try (Part busy = handOver(replicas, 64, 0)) {
            busy.prepare();
            busy.run(WARM_UP);
        }
        return handOver(replicas, 64, HOLD);
    }

    private static Part crowded(Setting setting, int waiters) throws Exception {
        Part cycles = http(Form.PATIENT, 16, HttpCycle::new).open(setting);
        return new WithCrowd(setting.service(Form.PATIENT), waiters, cycles);
    }

    private static Path second(Plan plan) {
        return plan.jdk().orElseThrow(() -> new IllegalStateException("no second JDK was named (--jdk HOME)"));
    }
}
