// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.RedisCli;
import io.quorumlock.testing.RedisServer;
import java.time.Duration;
import java.util.Optional;

/** A fault of a master or of the connections to it. */
abstract class MasterInjury implements Injury {
    static final Duration LOOK = Duration.ofMillis(20);

    final int number;
    final RedisServer server;
    final NodesWatch watch;
    long begun;

    MasterInjury(PlannedFault fault, Field field) {
        this.number = fault.target();
        this.server = field.masters().server(number);
        this.watch = field.watch();
    }

    static Injury of(PlannedFault fault, Field field) {
        return switch (fault.kind()) {
            case KILL_ALWAYS, KILL_EVERY_SECOND, KILL_NONE -> new Kill(fault, field);
            case SUSPEND -> new Suspend(fault, field);
            case FLUSH_SCRIPTS -> new FlushScripts(fault, field);
            case PASSWORD -> new Password(fault, field);
            case OUT_OF_MEMORY -> new OutOfMemory(fault, field);
            case STEP_CLOCK -> new StepClock(fault, field);
            case EMPTIED -> new ForgettingInjury(fault, field);
            default -> new BadProxy(fault, field);
        };
    }

    abstract void hit();

    @Override
    public void begin() {
        begun = System.nanoTime();
        hit();
    }

    @Override
    public boolean isOver() {
        return watch.isUp(number);
    }

    /** Returns evidence if a replica reported this problem of the master. */
    Optional<String> seen(String problem) {
        return Optional.of("reported by a replica: " + problem).filter(any -> watch.sawSince(begun, number, problem));
    }

    /** Reads a line of INFO. */
    String info(String section, String name) {
        return server.cli("INFO", section)
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElse("");
    }

    private static final class Kill extends MasterInjury {
        private final boolean mayForget;
        private String before = "";

        Kill(PlannedFault fault, Field field) {
            super(fault, field);
            mayForget = fault.kind() != FaultKind.KILL_ALWAYS;
        }

        @Override
        void hit() {
            before = info("server", "run_id");
            server.kill();
        }

        @Override
        public void end() {
            server.start();
        }

        @Override
        public Optional<String> evidence() {
            String now = info("server", "run_id");
            boolean guarded = !mayForget || seen("quarantined").isPresent();
            return Optional.of(before + " became " + now + (mayForget ? ", quarantined" : ""))
                    .filter(changed -> guarded && !before.equals(now));
        }
    }

    private static final class Suspend extends MasterInjury {
        Suspend(PlannedFault fault, Field field) {
            super(fault, field);
        }

        @Override
        void hit() {
            server.suspend();
        }

        @Override
        public void end() {
            server.resume();
        }

        @Override
        public Optional<String> evidence() {
            return seen("any");
        }
    }

    private static final class FlushScripts extends MasterInjury {
        private String before = "";

        FlushScripts(PlannedFault fault, Field field) {
            super(fault, field);
        }

        @Override
        void hit() {
            before = missed();
            server.cli("SCRIPT", "FLUSH");
        }

        @Override
        public void end() {
            // The replicas load their scripts again.
        }

        @Override
        public Optional<String> evidence() {
            return Optional.of(missed()).filter(now -> !now.equals(before));
        }

        private String missed() {
            return info("errorstats", "errorstat_NOSCRIPT");
        }
    }

    private static final class Password extends MasterInjury {
        private RedisCli admin;

        Password(PlannedFault fault, Field field) {
            super(fault, field);
        }

        @Override
        void hit() {
            admin = RedisCli.connect(server.url());
            admin.send("CONFIG", "SET", "requirepass", "another");
            admin.send("CLIENT", "KILL", "TYPE", "normal");
        }

        @Override
        public void end() {
            admin.send("CONFIG", "SET", "requirepass", "");
            admin.close();
        }

        @Override
        public Optional<String> evidence() {
            return seen("noauth");
        }
    }

    private static final class OutOfMemory extends MasterInjury {
        OutOfMemory(PlannedFault fault, Field field) {
            super(fault, field);
        }

        @Override
        void hit() {
            server.cli("CONFIG", "SET", "maxmemory", "1");
        }

        @Override
        public void end() {
            server.cli("CONFIG", "SET", "maxmemory", "0");
        }

        @Override
        public Optional<String> evidence() {
            return seen("oom");
        }
    }

    private static final class StepClock extends MasterInjury {
        private final SteppedClocks clocks;
        private final Duration step;

        StepClock(PlannedFault fault, Field field) {
            super(fault, field);
            clocks = field.masters().clocks();
            step = Duration.ofMillis(fault.amount());
        }

        @Override
        void hit() {
            clocks.set(number, step);
        }

        @Override
        public void end() {
            clocks.set(number, Duration.ZERO);
        }

        @Override
        public Optional<String> evidence() {
            return seen("quarantined");
        }
    }

    private static final class BadProxy extends MasterInjury {
        private final RedisProxy proxy;
        private final Mischief mischief;

        BadProxy(PlannedFault fault, Field field) {
            super(fault, field);
            proxy = field.masters().proxy(number);
            mischief = new Mischief(
                    Mischief.Kind.valueOf(fault.kind().name()), fault.command(), Duration.ofMillis(fault.amount()));
        }

        @Override
        void hit() {
            proxy.disturb(mischief);
        }

        @Override
        public void end() {
            proxy.restore();
        }

        @Override
        public Optional<String> evidence() {
            return Optional.of(mischief.count() + " times").filter(any -> mischief.count() > 0);
        }
    }
}
