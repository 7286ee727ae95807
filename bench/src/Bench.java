package io.quorumlock.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Measures the service and what it stands on, part after part, again and again in the same run. */
final class Bench {
    private static final int CLIENTS = 64;

    private static final String ONE = "1 client";
    private static final String MANY = CLIENTS + " clients";
    private static final String ENGINE = "engine, acquire, ";
    private static final String POOL = "pooled client, acquire, ";
    private static final String CYCLE = "HTTP, acquire + release, ";
    private static final String PLAIN = "HTTP, acquire + release, without fencing and guard, ";
    private static final String NO_OP = "HTTP, GET /nodes, ";
    private static final String RAW = "raw SET NX PX, pipeline " + CLIENTS;

    private Bench() {}

    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.WARNING);
        try {
            measure(Plan.read(arguments));
            System.exit(0); // whatever thread a library left behind
        } catch (IllegalArgumentException | IllegalStateException | IOException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void measure(Plan plan) throws IOException {
        Progress progress = new Progress();
        List<Contestant> contestants = contestants(plan, progress);
        if (contestants.isEmpty()) {
            throw new IllegalArgumentException("no part has a name with " + String.join(" or ", plan.only()));
        }
        progress.note("starting five masters and the service");
        try (Setting setting = new Setting()) {
            Map<String, Object> machine = Machine.describe(setting.masters());
            plan.run(contestants, setting, progress);
            Report report = new Report(machine, contestants, ratios(plan));
            report.print();
            System.out.println("raw results: " + report.write());
        }
    }

    private static List<Contestant> contestants(Plan plan, Progress progress) {
        return Stream.of(
                        new Contestant(ENGINE + MANY, setting -> new EngineAcquire(setting, CLIENTS)),
                        new Contestant(
                                POOL + MANY, setting -> PoolChoice.open(setting, CLIENTS, plan.round(), progress)),
                        new Contestant(ENGINE + ONE, setting -> new EngineAcquire(setting, 1)),
                        new Contestant(POOL + ONE, setting -> PoolChoice.single(setting)),
                        new Contestant(CYCLE + MANY, http(CLIENTS, HttpCycle::new)),
                        new Contestant(
                                PLAIN + MANY,
                                setting -> new HttpLoop(
                                        setting.plainService().address(), CLIENTS, HttpCycle::new)),
                        new Contestant(NO_OP + MANY, http(CLIENTS, () -> new HttpGet("/nodes"))),
                        new Contestant(CYCLE + ONE, http(1, HttpCycle::new)),
                        new Contestant(NO_OP + ONE, http(1, () -> new HttpGet("/nodes"))),
                        new Contestant(RAW, setting -> new RawPipeline(setting, CLIENTS)))
                .filter(contestant -> plan.includes(contestant.name()))
                .toList();
    }

    private static Part.Opener http(int clients, Supplier<HttpLoop.Dialogue> dialogue) {
        return setting -> new HttpLoop(setting.service().address(), clients, dialogue);
    }

    private static List<Ratio> ratios(Plan plan) {
        return Stream.of(
                        Ratio.ofThroughput("batches vs pool: acquires/s, " + MANY, ENGINE + MANY, POOL + MANY),
                        Ratio.ofCpu("pool vs batches: CPU of an acquire, " + MANY, POOL + MANY, ENGINE + MANY),
                        Ratio.ofMedian("pool vs batches: p50, " + ONE, POOL + ONE, ENGINE + ONE),
                        Ratio.ofThroughput("engine vs raw SET: operations/s, " + MANY, ENGINE + MANY, RAW),
                        Ratio.ofThroughput(
                                "fencing and guard vs neither: cycles/s, " + MANY, CYCLE + MANY, PLAIN + MANY),
                        Ratio.ofThroughput("HTTP cycle vs GET: operations/s, " + MANY, CYCLE + MANY, NO_OP + MANY),
                        Ratio.ofMedian("HTTP cycle vs GET: p50, " + ONE, CYCLE + ONE, NO_OP + ONE))
                .filter(ratio -> plan.includes(ratio.first()) && plan.includes(ratio.second()))
                .toList();
    }
}
