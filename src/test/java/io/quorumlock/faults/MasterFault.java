// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.RedisCli;
import io.quorumlock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/** A fault of a master or of the connections to it. */
final class MasterFault {
    /** The longest time that other masters take to return before a master is emptied. */
    static final Duration LONGEST_RETURN = Duration.ofSeconds(3);

    private static final List<Integer> FORGETFUL = List.of(Masters.FIRST_FORGETFUL, Setup.MASTERS);

    private final PlannedFault fault;
    private final Masters masters;
    private final NodesPoller watch;
    private final int number;
    private final RedisServer server;

    MasterFault(PlannedFault fault, Masters masters, NodesPoller watch) {
        this.fault = fault;
        this.masters = masters;
        this.watch = watch;
        this.number = fault.target();
        this.server = masters.server(number);
    }

    FaultAction action() {
        return switch (fault.kind()) {
            case KILL -> kill(server::kill, false);
            case KILL_AND_EMPTY -> kill(server::killAndEmpty, true);
            case SUSPEND -> action(server::suspend, server::resume, reported("any"));
            case FLUSH_SCRIPTS -> flushScripts();
            case PASSWORD -> changePassword();
            case OUT_OF_MEMORY -> action(() -> setMemory("1"), () -> setMemory("0"), reported("oom"));
            case STEP_CLOCK -> stepClock();
            case EMPTIED -> action(this::suspendOthers, this::empty, reported("quarantined"));
            default -> injectIntoConnections();
        };
    }

    private FaultAction action(Runnable begin, Runnable end, LongFunction<String> evidence) {
        return new FaultAction(begin, end, evidence, () -> watch.isUp(number));
    }

    /** Returns evidence if a replica reported this problem of the master. */
    private LongFunction<String> reported(String problem) {
        return begun -> watch.sawSince(begun, number, problem) ? "reported by a replica: " + problem : "";
    }

    private FaultAction kill(Runnable kill, boolean forgets) {
        String before = info("server", "run_id");
        return action(kill, server::start, begun -> {
            String now = info("server", "run_id");
            boolean guarded = !forgets || watch.sawSince(begun, number, "quarantined");
            return guarded && !before.equals(now) ? before + " became " + now : "";
        });
    }

    /** The replicas load their scripts again by themselves. */
    private FaultAction flushScripts() {
        String before = info("errorstats", "errorstat_NOSCRIPT");
        return action(() -> server.cli("SCRIPT", "FLUSH"), () -> {}, begun -> {
            String now = info("errorstats", "errorstat_NOSCRIPT");
            return now.equals(before) ? "" : now;
        });
    }

    private FaultAction changePassword() {
        RedisCli admin = RedisCli.connect(server.url());
        return action(
                () -> {
                    admin.send("CONFIG", "SET", "requirepass", "another");
                    admin.send("CLIENT", "KILL", "TYPE", "normal");
                },
                () -> {
                    admin.send("CONFIG", "SET", "requirepass", "");
                    admin.close();
                },
                reported("noauth"));
    }

    private void setMemory(String bytes) {
        server.cli("CONFIG", "SET", "maxmemory", bytes);
    }

    private FaultAction stepClock() {
        SteppedClocks clocks = masters.clocks();
        return action(
                () -> clocks.set(number, Duration.ofMillis(fault.amount())),
                () -> clocks.set(number, Duration.ZERO),
                reported("quarantined"));
    }

    /** Suspends two other masters, so that there are leases on a bare majority (R9). */
    private void suspendOthers() {
        FORGETFUL.forEach(other -> masters.server(other).suspend());
    }

    /** Resumes the other masters and soon afterwards replaces the disk of this one, which persists every write. */
    private void empty() {
        FORGETFUL.forEach(other -> masters.server(other).resume());
        long latest = System.nanoTime() + LONGEST_RETURN.toNanos();
        while (!FORGETFUL.stream().allMatch(watch::isUp) && System.nanoTime() < latest) {
            Pause.of(FaultInjector.POLL);
        }
        server.killAndEmpty();
        server.start();
    }

    private FaultAction injectIntoConnections() {
        RedisProxy proxy = masters.proxy(number);
        ConnectionFault injected = new ConnectionFault(
                ConnectionFault.Kind.valueOf(fault.kind().name()), fault.command(), Duration.ofMillis(fault.amount()));
        return action(
                () -> proxy.inject(injected),
                proxy::heal,
                begun -> injected.count() > 0 ? injected.count() + " times" : "");
    }

    /** Reads a line of INFO. */
    private String info(String section, String name) {
        return server.cli("INFO", section)
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElse("");
    }
}
