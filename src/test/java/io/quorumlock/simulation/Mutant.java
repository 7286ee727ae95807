package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.Drift;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Is a service in which one rule does not hold: the simulation must find out. */
enum Mutant {
    R1_QUORUM_OF_THE_NODES_IN_REACH(new Tampering() {
        @Override
        public List<? extends LockNode> nodes(int replica, List<? extends LockNode> wires) {
            int some = wires.size() == 3 ? 1 : 3;
            return replica % 2 == 0 ? wires.subList(0, some) : wires.subList(wires.size() - some, wires.size());
        }
    }),
    R2_ONE_SERVER_COUNTS_TWICE(new Tampering() {
        @Override
        public List<? extends LockNode> nodes(int replica, List<? extends LockNode> wires) {
            List<LockNode> nodes = new ArrayList<>(wires);
            int twice = replica % 2 == 0 ? 0 : nodes.size() - 1;
            nodes.set(nodes.size() / 2, new NodeInTheMiddle(nodes.get(twice)));
            return nodes;
        }
    }),
    R3_ATTEMPTS_WITHOUT_NAMES(BrokenNodes::namelessAttempts),
    R4_ELAPSED_TIME_IS_NOT_MEASURED(new Tampering() {
        @Override
        public MonotonicClock clock(MonotonicClock clock) {
            return () -> new Moment(clock.now().nanos() / 1_000_000_000 * 1_000_000_000);
        }
    }),
    R4_NO_DRIFT(new Tampering() {
        @Override
        public Drift drift(Drift drift) {
            return new Drift(0, Duration.ZERO);
        }
    }),
    R4_THE_MINIMUM_IS_NOT_LOOKED_AT(new Tampering() {
        @Override
        public LockEngine engine(LockEngine engine) {
            return new UndemandingEngine(engine);
        }
    }),
    R5_NO_CLEAN_UP(BrokenNodes::withoutCleanUp),
    R6_RELEASE_WITHOUT_COMPARING(BrokenNodes::releaseWithoutComparing),
    R7_EXTEND_CREATES(BrokenNodes::extendCreates),
    R7_FAILED_EXTEND_DELETES(BrokenNodes::failedExtendDeletes),
    R7_EXTEND_COUNTS_THE_LOST(BrokenNodes::extendCountsTheLost),
    R8_COMMANDS_ARE_SENT_AGAIN(new Tampering() {
        @Override
        public boolean resends() {
            return true;
        }
    }),
    R9_AMNESIAC_NODES_VOTE(new Tampering() {
        @Override
        public boolean guardsRestarts() {
            return false;
        }
    }),
    R10_NO_WRITE_BACK(BrokenNodes::withoutWriteBack),
    R10_COUNTERS_START_FROM_ONE(BrokenNodes::countersFromOne),
    R11_WHO_LEFT_KEEPS_THE_LOCK(new Tampering() {
        @Override
        public LockEngine engine(LockEngine engine) {
            return new DeafEngine(engine);
        }
    }),
    R12_NOTHING_BACKS_THE_HINTS(new Tampering() {
        @Override
        public LockEngine engine(LockEngine engine) {
            return new SecretiveEngine(engine);
        }
    }),
    R13_EXTENSIONS_WITHOUT_END(new Tampering() {
        @Override
        public io.quorumlock.testing.LockStore store(MonotonicClock clock, int counters) {
            return new io.quorumlock.testing.FakeStore(clock, Integer.MAX_VALUE, counters);
        }
    }),
    R14_CLEAN_UPS_WITHOUT_BOUND(new Tampering() {
        @Override
        public int cleanUpsMax(int most) {
            return Integer.MAX_VALUE;
        }
    }),
    R15_UNKNOWN_IS_CALLED_NO_EFFECT(BrokenNodes::unsentOnTimeout);

    final Tampering tampering;

    Mutant(Tampering tampering) {
        this.tampering = tampering;
    }

    Mutant(UnaryOperator<LockNode> node) {
        this(new Tampering() {
            @Override
            public LockNode node(LockNode wire) {
                return node.apply(wire);
            }
        });
    }

    /** Does not hear that a caller left. */
    private static final class DeafEngine extends EngineInTheMiddle {
        DeafEngine(LockEngine engine) {
            super(engine);
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
            return super.acquire(resource, terms).thenApply(outcome -> outcome);
        }
    }

    /** Does not tell when a lock that is held will be free. */
    private static final class SecretiveEngine extends EngineInTheMiddle {
        SecretiveEngine(LockEngine engine) {
            super(engine);
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
            CompletableFuture<Acquisition> known = super.acquire(resource, terms);
            CompletableFuture<Acquisition> told = known.thenApply(SecretiveEngine::withoutTheEnd);
            told.whenComplete((outcome, failure) -> {
                if (told.isCancelled()) {
                    known.cancel(false);
                }
            });
            return told;
        }

        private static Acquisition withoutTheEnd(Acquisition outcome) {
            return outcome instanceof Acquisition.Held held && !held.split()
                    ? new Acquisition.Held(Duration.ofHours(1), held.owner())
                    : outcome;
        }
    }

    /** Takes any validity for enough. */
    private static final class UndemandingEngine extends EngineInTheMiddle {
        UndemandingEngine(LockEngine engine) {
            super(engine);
        }

        @Override
        public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
            return super.acquire(resource, new AcquireTerms(terms.ttl(), terms.token(), terms.owner()));
        }

        @Override
        public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
            return super.extend(resource, token, new ExtendTerms(terms.ttl()));
        }
    }
}
